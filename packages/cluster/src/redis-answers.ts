import type { Answer } from './answers.ts';
import { writeAnswer } from './answers.ts';
import { keys } from './keys.ts';
import type { RedisShard } from './redis-shard.ts';
import { PUBLISH_ALL } from './scripts/calls.ts';
import { createTickBatch } from './tick-batch.ts';

/** Where an answer goes: the channel of one call of one instance. */
export interface Asker {
  asker: string;
  callId: number;
}

const parkAboveBytes = 256 * 1024;
const parkedSeconds = 30;

/** Publishes answers on a shard, best effort: an asker that hears none has its own ways to learn why. */
export function createAnswers(shard: RedisShard): (to: Asker, answer: Answer) => void {
  const enqueue = createTickBatch<[channel: string, message: Buffer]>((batch) => {
    const published =
      batch.length === 1 ? shard.send('publish', batch[0] ?? []) : shard.run(PUBLISH_ALL, [], batch.flat());
    published.catch(() => {});
  });
  const publish = (to: Asker, answer: Answer): void => {
    const message = writeAnswer(answer);
    enqueue([`${keys.replies(to.asker)}${to.callId}`, message], message.length);
  };
  return (to, answer) => {
    if (answer.kind !== 'reply' || answer.body.length <= parkAboveBytes) return publish(to, answer);
    // Sent on one connection, so the body is there before its pointer; the batch goes out later still.
    const parked = [keys.parked(to.asker, to.callId), answer.body, 'EX', parkedSeconds];
    shard.send('set', parked).catch(() => {});
    publish(to, { kind: 'parked', head: answer.head });
  };
}
