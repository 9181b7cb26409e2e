import { expect, test, vi } from 'vitest';
import { ClusterUnavailable } from '../../failures.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { Answer } from '../../message.ts';
import { readAnswer } from '../../message.ts';
import { createAnswerOutbox } from './answer-outbox.ts';

/** A shard that rejects every publish while `failure` is set. */
function createTestShard() {
  const published: (Answer | undefined)[] = [];
  const shard = {
    failure: undefined as Error | undefined,
    listeners: 1,
    run: (_script: unknown, _keys: unknown, [channel, message]: [string, Buffer]) => {
      if (shard.failure) return Promise.reject(shard.failure);
      expect(channel).toBe('r:reply:boot:7');
      if (shard.listeners > 0) published.push(readAnswer(message)?.answer);
      return Promise.resolve([shard.listeners]);
    },
  };
  return {
    shard,
    published,
    answers: createAnswerOutbox(shard as unknown as RedisShard, { leaseMs: 4_000 }),
  };
}

const to = { asker: 'boot', callId: 7 };
const reply: Answer = { kind: 'reply', head: { worldMs: 1 }, body: Buffer.from('body') };
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

const cases: [answer: Answer, failure: Error, comes: boolean][] = [
  [reply, new ClusterUnavailable('not sent'), true],
  [reply, new Error('no answer'), true],
  [{ kind: 'not_mine' }, new ClusterUnavailable('not sent'), true],
  // A second `not_mine` would make the asker send the command again while it runs.
  [{ kind: 'not_mine' }, new Error('no answer'), false],
];

test.each(cases)('an answer of %o after %o comes with the next flush: %s', async (answer, failure, comes) => {
  const { shard, published, answers } = createTestShard();
  shard.failure = failure;
  answers.send(to, answer);
  await turn();
  shard.failure = undefined;
  answers.flush();
  await turn();
  expect(published).toMatchObject(comes ? [answer] : []);
  answers.flush();
  await turn();
  expect(published).toHaveLength(comes ? 1 : 0);
});

test('an answer that nobody heard is published again until somebody does', async () => {
  const { shard, published, answers } = createTestShard();
  shard.listeners = 0;
  answers.send(to, reply);
  await turn();
  shard.listeners = 1;
  await vi.waitFor(() => expect(published).toMatchObject([reply]), 10_000);
});

test('an answer that waited for longer than the lease is dropped', async () => {
  const { shard, published, answers } = createTestShard();
  const clock = vi.spyOn(performance, 'now');
  clock.mockReturnValue(0);
  shard.failure = new ClusterUnavailable('not sent');
  answers.send(to, reply);
  await turn();
  shard.failure = undefined;
  clock.mockReturnValue(4_000);
  answers.flush();
  await turn();
  clock.mockRestore();
  expect(published).toEqual([]);
});

test('answers wait for the next try up to 16 MiB, and those beyond are told as lost', async () => {
  const { shard, published, answers } = createTestShard();
  shard.failure = new ClusterUnavailable('not sent');
  const ends = vi.fn<(hasLeft: boolean) => void>();
  const large: Answer = { kind: 'reply', head: { worldMs: 1 }, body: Buffer.alloc(1 << 20) };
  for (let sent = 0; sent < 17; sent++) answers.send(to, large, ends);
  await turn();
  expect(ends.mock.calls).toEqual([[false], [false]]);
  shard.failure = undefined;
  answers.flush();
  await turn();
  expect(published).toHaveLength(15);
  expect(ends.mock.calls.filter(([hasLeft]) => hasLeft)).toHaveLength(15);
  // Those that left take nothing of the next.
  shard.failure = new ClusterUnavailable('not sent');
  answers.send(to, large, ends);
  await turn();
  expect(ends).toHaveBeenCalledTimes(17);
  answers.stop();
});
