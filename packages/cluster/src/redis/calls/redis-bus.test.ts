import { expect, test } from 'vitest';
import { defaultBulkBounds } from '../bulk/bulk-bounds.ts';
import { newBoot } from '../../ids.ts';
import type { RedisShard } from '../shard/shard.ts';
import { defaultTimes } from '../times.ts';
import { createRedisBus } from './redis-bus.ts';

/** A bus over a Redis that answers the look-up when the test tells it to. */
function createTestBus() {
  const lookUp = Promise.withResolvers<string[]>();
  const lookUps: (() => Promise<string[]>)[] = [];
  const published: unknown[] = [];
  const given: number[] = [];
  /** The ends of the commands, in Redis time, that the look-ups told. */
  const expiries: number[] = [];
  const redis = { now: 0 };
  const shard = {
    isAnswering: () => true,
    listener: { isListening: () => true },
    lease: { redisNow: () => redis.now },
    replySlots: {
      lend: (take: (id: number) => boolean) => take(1),
      giveBack: (id: number) => given.push(id),
    },
    run: (_script: unknown, _keys: unknown, [, expiry]: string[]) => {
      expiries.push(Number(expiry));
      return lookUps.shift()?.() ?? lookUp.promise;
    },
    send: (name: string, [channel]: unknown[]) => {
      published.push([name, channel]);
      return Promise.resolve(1);
    },
  } as unknown as RedisShard;
  const bus = createRedisBus({
    boot: newBoot(),
    shards: [shard],
    shardOf: () => shard,
    times: { ...defaultTimes, graceMs: 100, watchMs: 10 },
    bounds: defaultBulkBounds,
  });
  return { bus, lookUps, published, given, expiries, redis, answerLookUp: () => lookUp.resolve(['owner']) };
}

const question = { clientId: 'client-1', accountId: 'a', body: Buffer.from('x'), budgetMs: 10_000 };
const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

test('an owner whose reply overtook the look-up’s answer gets no cancel', async () => {
  const { bus, published, given, answerLookUp } = createTestBus();
  const call = bus.ask(question);
  await turn();
  expect(given).toEqual([]);
  bus.onAnswer(1, { kind: 'reply', head: '', body: Buffer.from('y') });
  expect((await call.reply).body.toString()).toBe('y');
  bus.onAnswer(1, { kind: 'reply', head: '', body: Buffer.from('late') });
  expect(given).toEqual([1]);
  answerLookUp();
  await turn();
  expect(published).toEqual([]);
  bus.stop();
});

test('an owner that is learnt of after the caller hung up gets a cancel', async () => {
  const { bus, published, answerLookUp } = createTestBus();
  const call = bus.ask(question);
  await turn();
  call.abandon();
  await expect(call.reply).rejects.toMatchObject({ reason: 'aborted', sent: true });
  answerLookUp();
  await turn();
  expect(published).toEqual([['publish', 'r:cmd:owner']]);
  bus.stop();
});

test('a call whose way was broken has all its time again once its owner asked for another', async () => {
  const { bus, lookUps, answerLookUp } = createTestBus();
  lookUps.push(() => Promise.reject(new Error('no answer')));
  const call = bus.ask(question);
  await turn();
  bus.onAnswer(1, { kind: 'not_mine' });
  answerLookUp();
  // Longer than the grace period of a call whose look-up was not answered.
  await new Promise((resolve) => setTimeout(resolve, 200));
  bus.onAnswer(1, { kind: 'reply', head: '', body: Buffer.from('y') });
  expect((await call.reply).body.toString()).toBe('y');
  bus.stop();
});

test('a command ends no later where its asker was suspended before it looked the owner up again', async () => {
  const { bus, expiries, redis, answerLookUp } = createTestBus();
  redis.now = 50_000;
  const call = bus.ask(question);
  await turn();
  // A renewal tells the time anew. Our own clock stood still meanwhile.
  redis.now = 52_500;
  bus.onAnswer(1, { kind: 'not_mine' });
  answerLookUp();
  await expect.poll(() => expiries).toEqual([expect.closeTo(60_000, -2), 60_000]);
  bus.onAnswer(1, { kind: 'reply', head: '', body: Buffer.from('y') });
  await call.reply;
  bus.stop();
});
