import type { Asked, Bus, Question, Reply } from '../cluster.ts';
import { BusFailure, refused } from '../failures.ts';
import type { Member, MemoryHub, OwnerRecord } from './memory-hub.ts';
import { ownerOf } from './memory-hub.ts';

/** Calls between the instances of one process. At most once, because nothing is repeated. */
export function createMemoryBus(hub: MemoryHub, isRunning: () => boolean): Bus {
  let calls = 0;
  return {
    ask: (question) => {
      if (!isRunning()) return refused(new BusFailure('unavailable', false, 'this instance is not running'));
      const owner = ownerOf(hub, question.clientId);
      if (owner?.accountId !== question.accountId) {
        return refused(new BusFailure('no_owner', false, 'no instance owns the client for this account'));
      }
      const member = hub.members.get(owner.boot);
      if (!member || owner.movingUntil !== undefined) {
        return refused(new BusFailure('unavailable', false, 'the client is moving between instances'));
      }
      return deliver(question, owner, member, String(++calls));
    },
  };
}

function deliver(question: Question, owner: OwnerRecord, member: Member, callId: string): Asked<Reply> {
  const { clientId, head, body, budgetMs } = question;
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const delivered = member.instance.deliver({ clientId, conn: owner.conn, callId, head, body, budgetMs });
  const giveUp = (failure: BusFailure): void => {
    if (!member.asked.has(giveUp)) return;
    settle();
    reject(failure);
    delivered.abandon();
  };
  const onDeadline = (): void => giveUp(new BusFailure('timeout', true, 'no reply within the budget'));
  const timer = setTimeout(onDeadline, budgetMs);
  const settle = (): void => {
    clearTimeout(timer);
    member.asked.delete(giveUp);
  };
  member.asked.add(giveUp);
  delivered.reply.then(resolve, (cause: unknown) => reject(asFailure(cause))).finally(settle);
  return {
    reply: promise,
    abandon: () => giveUp(new BusFailure('aborted', true, 'the caller hung up')),
  };
}

function asFailure(cause: unknown): BusFailure {
  if (cause instanceof BusFailure) return cause;
  return new BusFailure('lost', true, 'the owner failed while it delivered', { cause });
}
