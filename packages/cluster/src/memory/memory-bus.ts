import { addAbortListener } from 'node:events';
import type { Bus, Call, Reply } from '../cluster.ts';
import { BusFailure } from '../failures.ts';
import type { Member, MemoryHub, OwnerRecord } from './memory-hub.ts';
import { ownerOf } from './memory-hub.ts';

/** Calls between the instances of one process. At most once, because nothing is repeated. */
export function createMemoryBus(hub: MemoryHub, isRunning: () => boolean): Bus {
  let calls = 0;
  return {
    call: async (call, signal) => {
      if (signal?.aborted) throw hungUp(false);
      if (!isRunning()) throw new BusFailure('unavailable', false, 'this instance is not running');
      const owner = ownerOf(hub, call.clientId);
      if (owner?.accountId !== call.accountId)
        throw new BusFailure('no_owner', false, 'no instance owns the client for this account');
      const member = hub.members.get(owner.boot);
      if (!member || owner.movingUntil !== undefined)
        throw new BusFailure('unavailable', false, 'the client is moving between instances');
      return await deliver(call, owner, member, String(++calls), signal);
    },
  };
}

const hungUp = (sent: boolean) => new BusFailure('aborted', sent, 'the caller hung up');

async function deliver(
  { clientId, head, body, budgetMs }: Call,
  { conn }: OwnerRecord,
  { instance, calls }: Member,
  callId: string,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  const stop = new AbortController();
  const failed = Promise.withResolvers<never>();
  const giveUp = (failure: BusFailure): void => {
    failed.reject(failure);
    stop.abort();
  };
  const timer = setTimeout(giveUp, budgetMs, new BusFailure('timeout', true, 'no reply within the budget'));
  const listening = signal && addAbortListener(signal, () => giveUp(hungUp(true)));
  calls.add(giveUp);
  try {
    const delivered = instance.deliver({ clientId, conn, callId, head, body, budgetMs }, stop.signal);
    // Of a reply that comes too late the bytes count no more.
    void delivered.then(({ release }) => stop.signal.aborted && release?.(), () => {}); // prettier-ignore
    return await Promise.race([failed.promise, delivered]);
  } catch (cause) {
    throw asFailure(cause);
  } finally {
    clearTimeout(timer);
    listening?.[Symbol.dispose]();
    calls.delete(giveUp);
  }
}

function asFailure(cause: unknown): BusFailure {
  if (cause instanceof BusFailure) return cause;
  return new BusFailure('lost', true, 'the owner failed while it delivered', { cause });
}
