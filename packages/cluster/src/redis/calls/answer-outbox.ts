import type { Answer } from '../wire/answers.ts';
import { writeAnswer } from '../wire/answers.ts';
import { ClusterUnavailable } from '../../failures.ts';
import { keys } from '../keys.ts';
import type { RedisShard } from '../shard/shard.ts';
import { PUBLISH_ALL } from '../scripts/calls.ts';
import { createTickBatch } from './tick-batch.ts';
import type { ClusterTimes } from '../times.ts';

/** Where an answer goes: the channel of one call of one instance. */
export interface Asker {
  asker: string;
  callId: number;
}

/** The answers of this instance on a shard. */
export interface Answers {
  /**
   * Publishes. What Redis did not take or nobody heard is published again until somebody does, for as long as its
   * asker may believe in our lease: the connection of either may be just coming back.
   */
  send(to: Asker, answer: Answer): void;
  /** To be called when Redis answers again: nothing waits for the next try then. */
  flush(): void;
  stop(): void;
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
const againMs = 200;

export function createAnswers(shard: RedisShard, times: Pick<ClusterTimes, 'leaseMs'>): Answers {
  let unsent: Outgoing[] = [];
  let unsentBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  const keep = (outgoing: Outgoing): void => {
    const bytes = sizeOf(outgoing.answer);
    if (unsentBytes + bytes > maxUnsentBytes) return;
    unsentBytes += bytes;
    unsent.push(outgoing);
    timer ??= setTimeout(flush, againMs);
  };

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const again = unsent;
    unsent = [];
    unsentBytes = 0;
    for (const outgoing of again) if (performance.now() < outgoing.lateAt) sendOut(outgoing);
  };

  const enqueue = createTickBatch<[channel: string, message: Buffer, outgoing: Outgoing]>((batch) => {
    const messages = batch.map(([channel, message]) => [channel, message] as const);
    const published =
      batch.length === 1
        ? shard.send<number>('publish', messages[0] ?? []).then((heard) => [heard])
        : shard.run<number[]>(PUBLISH_ALL, [], messages.flat());
    published.then(
      (heard) => batch.forEach(([, , outgoing], index) => heard[index] === 0 && keep(outgoing)),
      (cause: unknown) => {
        for (const [, , outgoing] of batch) {
          // An asker drops a second reply, but asks another owner at each `not_mine`: it must not come twice.
          if (outgoing.answer.kind !== 'not_mine' || cause instanceof ClusterUnavailable) keep(outgoing);
        }
      },
    );
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
    flush,
    stop: () => clearTimeout(timer),
  };
}

const sizeOf = (answer: Answer): number => 256 + (answer.kind === 'reply' ? answer.body.length : 0);
