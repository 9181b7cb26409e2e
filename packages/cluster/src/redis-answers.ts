import type { Answer } from './answers.ts';
import { writeAnswer } from './answers.ts';
import { ClusterUnavailable } from './failures.ts';
import { keys } from './keys.ts';
import type { RedisShard } from './redis-shard.ts';
import { PUBLISH_ALL } from './scripts/calls.ts';
import { createTickBatch } from './tick-batch.ts';
import type { ClusterTimes } from './times.ts';

/** Where an answer goes: the channel of one call of one instance. */
export interface Asker {
  asker: string;
  callId: number;
}

/** The answers of this instance on a shard. */
export interface Answers {
  /** Publishes. What Redis did not take waits for `flush`, for as long as its asker may believe in our lease. */
  send(to: Asker, answer: Answer): void;
  /** To be called when Redis answers again. */
  flush(): void;
}

interface Outgoing {
  to: Asker;
  answer: Answer;
  /** On the monotonic clock: the asker has given up by then. */
  lateAt: number;
}

const parkAboveBytes = 256 * 1024;
const parkedSeconds = 30;
const maxUnsentBytes = 16 << 20;

export function createAnswers(shard: RedisShard, times: Pick<ClusterTimes, 'leaseMs'>): Answers {
  let unsent: Outgoing[] = [];
  let unsentBytes = 0;

  const keep = (outgoing: Outgoing, cause: unknown): void => {
    // An asker drops a second reply, but asks another owner at each `not_mine`: that one must not come twice.
    if (outgoing.answer.kind === 'not_mine' && !(cause instanceof ClusterUnavailable)) return;
    const bytes = sizeOf(outgoing.answer);
    if (unsentBytes + bytes > maxUnsentBytes) return;
    unsentBytes += bytes;
    unsent.push(outgoing);
  };

  const enqueue = createTickBatch<[channel: string, message: Buffer, outgoing: Outgoing]>((batch) => {
    const messages = batch.map(([channel, message]) => [channel, message] as const);
    const published =
      batch.length === 1
        ? shard.send('publish', messages[0] ?? [])
        : shard.run(PUBLISH_ALL, [], messages.flat());
    published.catch((cause: unknown) => {
      for (const [, , outgoing] of batch) keep(outgoing, cause);
    });
  });

  const publish = (outgoing: Outgoing, answer: Answer): void => {
    const message = writeAnswer(answer);
    enqueue([`${keys.replies(outgoing.to.asker)}${outgoing.to.callId}`, message, outgoing], message.length);
  };

  const sendOut = (outgoing: Outgoing): void => {
    const { to, answer } = outgoing;
    if (answer.kind !== 'reply' || answer.body.length <= parkAboveBytes) return publish(outgoing, answer);
    // Sent on one connection, so the body is there before its pointer; the batch goes out later still.
    const parked = [keys.parked(to.asker, to.callId), answer.body, 'EX', parkedSeconds];
    shard.send('set', parked).catch(() => {});
    publish(outgoing, { kind: 'parked', head: answer.head });
  };

  return {
    send: (to, answer) => sendOut({ to, answer, lateAt: performance.now() + times.leaseMs }),
    flush: () => {
      const again = unsent;
      unsent = [];
      unsentBytes = 0;
      for (const outgoing of again) if (performance.now() < outgoing.lateAt) sendOut(outgoing);
    },
  };
}

const sizeOf = (answer: Answer): number => 256 + (answer.kind === 'reply' ? answer.body.length : 0);
