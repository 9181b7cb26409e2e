import type { Bus, Question, Reply } from './cluster.ts';
import { BusFailure } from './failures.ts';
import type { Member, MemoryHub, OwnerRecord } from './memory-hub.ts';
import { ownerOf } from './memory-hub.ts';

/** Calls between the instances of one process: at most once, because nothing is ever repeated. */
export function createMemoryBus(hub: MemoryHub, isRunning: () => boolean): Bus {
  let calls = 0;
  return {
    ask: async (question) => {
      if (question.signal?.aborted) throw new BusFailure('aborted', false, 'the caller hung up');
      if (!isRunning()) throw new BusFailure('unavailable', false, 'this instance is not running');
      const owner = ownerOf(hub, question.clientId);
      if (owner?.accountId !== question.accountId) {
        throw new BusFailure('no_owner', false, 'no instance owns the client for this account');
      }
      const member = hub.members.get(owner.boot);
      if (!member || owner.movingUntil !== undefined) {
        throw new BusFailure('unavailable', false, 'the client is moving between instances');
      }
      return deliver(question, owner, member, String(++calls));
    },
  };
}

function deliver(question: Question, owner: OwnerRecord, member: Member, callId: string): Promise<Reply> {
  const { clientId, body, budgetMs, signal } = question;
  return new Promise<Reply>((resolve, reject) => {
    const asker = new AbortController();
    const giveUp = (failure: BusFailure): void => {
      asker.abort(failure);
      settle(() => reject(failure));
    };
    const onAbort = (): void => giveUp(new BusFailure('aborted', true, 'the caller hung up'));
    const onDeadline = (): void => giveUp(new BusFailure('timeout', true, 'no reply within the budget'));
    const timer = setTimeout(onDeadline, budgetMs);
    const settle = (settled: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      member.asked.delete(giveUp);
      settled();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    member.asked.add(giveUp);
    member.instance.deliver({ clientId, conn: owner.conn, callId, body, budgetMs }, asker.signal).then(
      (reply) => settle(() => resolve(reply)),
      (cause: unknown) => settle(() => reject(asFailure(cause))),
    );
  });
}

function asFailure(cause: unknown): BusFailure {
  if (cause instanceof BusFailure) return cause;
  return new BusFailure('lost', true, 'the owner failed while it delivered', { cause });
}
