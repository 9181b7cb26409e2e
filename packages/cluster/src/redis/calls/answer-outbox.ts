import { ClusterUnavailable } from '../../failures.ts';
import { keys } from '../keys.ts';
import type { ScriptArgument } from '../connection.ts';
import { PUBLISH_ALL } from '../scripts/calls.ts';
import { slotOf } from '../shard/reply-slots.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { ClusterTimes } from '../times.ts';
import type { Traffic } from '../traffic.ts';
import { countMessage, createTraffic } from '../traffic.ts';
import type { Answer, CallAddress } from '../../message.ts';
import { writeAnswer } from '../../message.ts';
import { createTickBatch } from '../tick-batch.ts';

/** Sends the answers of this instance on one shard. */
export interface AnswerOutbox {
  /**
   * Publishes an answer. If Redis did not take it or no subscriber received it, it is published again until one does,
   * for at most the length of a lease. The connection of either instance may just be coming back. Calls `onEnd` once,
   * with false when the answer was dropped.
   */
  send(to: CallAddress, answer: Answer, onEnd?: (hasLeft: boolean) => void): void;
  /** Publishes the waiting answers now. To be called when Redis answers again. */
  flush(): void;
  stop(): void;
}

interface Outgoing {
  to: CallAddress;
  answer: Answer;
  /** Monotonic time in ms at which the asker has given up. */
  lateAt: number;
  onEnd: (hasLeft: boolean) => void;
}

export function createAnswerOutbox(
  shard: RedisShard,
  times: Pick<ClusterTimes, 'leaseMs'>,
  traffic: Traffic = createTraffic(),
): AnswerOutbox {
  const unsent = createRetryQueue((outgoing) => sendOut(outgoing));

  const enqueue = createTickBatch<[channel: string, message: Buffer, outgoing: Outgoing]>((batch) => {
    const messages = batch.flatMap<ScriptArgument>(([channel, message]) => [channel, message]);
    shard.run<number[]>(PUBLISH_ALL, [], messages).then(
      (receivers) => {
        for (const [index, [, , outgoing]] of batch.entries()) {
          if (receivers[index] === 0) {
            traffic.unheard += 1;
            unsent.add(outgoing);
          } else outgoing.onEnd(true);
        }
      },
      (cause: unknown) => {
        for (const [, , outgoing] of batch) {
          // An asker drops a second reply, but looks for another owner at each `not_mine`, which must not come twice.
          const mayRepeat = outgoing.answer.kind !== 'not_mine' || cause instanceof ClusterUnavailable;
          if (mayRepeat) unsent.add(outgoing);
          else outgoing.onEnd(false);
        }
      },
    );
  });

  const sendOut = (outgoing: Outgoing): void => {
    const { asker, callId } = outgoing.to;
    const message = writeAnswer(callId, outgoing.answer);
    countMessage(traffic.published.answer, message.length);
    enqueue([keys.reply(asker, slotOf(callId)), message, outgoing], message.length);
  };

  return {
    send: (to, answer, onEnd = () => {}) =>
      sendOut({ to, answer, lateAt: performance.now() + times.leaseMs, onEnd }),
    flush: unsent.flush,
    stop: unsent.stop,
  };
}

const maxUnsentBytes = 16 << 20;
const retryMs = 200;

/** Keeps answers for the next try. Drops those that are late, and those beyond 16 MiB. */
function createRetryQueue(send: (outgoing: Outgoing) => void) {
  let unsent: Outgoing[] = [];
  let unsentBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const retried = unsent;
    unsent = [];
    unsentBytes = 0;
    for (const outgoing of retried) {
      if (performance.now() < outgoing.lateAt) send(outgoing);
      else outgoing.onEnd(false);
    }
  };

  return {
    flush,
    add: (outgoing: Outgoing): void => {
      const bytes = sizeOf(outgoing.answer);
      if (unsentBytes + bytes > maxUnsentBytes) return outgoing.onEnd(false);
      unsentBytes += bytes;
      unsent.push(outgoing);
      timer ??= setTimeout(flush, retryMs);
    },
    stop: (): void => clearTimeout(timer),
  };
}

const sizeOf = (answer: Answer): number => 256 + (answer.kind === 'reply' ? answer.body.length : 0);
