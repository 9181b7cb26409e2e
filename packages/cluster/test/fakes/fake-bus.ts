import type { Call } from '../../src/cluster.ts';
import { defaultBulkBounds } from '../../src/redis/bulk-bounds.ts';
import { Asker } from '../../src/redis/calls/asker.ts';
import { newBoot } from '../../src/ids.ts';
import { ROUTE } from '../../src/redis/scripts/calls.ts';
import type { RedisShard } from '../../src/redis/shard/shard.ts';
import { defaultTimes } from '../../src/redis/times.ts';
import { createTraffic } from '../../src/redis/traffic.ts';
import type { Answer } from '../../src/message.ts';

/** A bus over a Redis that answers the look-up when the test tells it to. */
export function createTestBus() {
  const lookUp = Promise.withResolvers<string[]>();
  const lookUps: (() => Promise<string[]>)[] = [];
  const published: unknown[] = [];
  const given: number[] = [];
  /** The ends of the commands, in Redis time, that the look-ups told. */
  const expiries: number[] = [];
  /** The calls that the look-ups would publish. */
  const commands: Buffer[] = [];
  const redis = { now: 0, isAnswering: true, isListening: true, hasChannels: true };
  const traffic = createTraffic();
  let lent = 0;
  const shard = {
    isAnswering: () => redis.isAnswering,
    listener: { isListening: () => redis.isListening },
    bulk: { isListening: () => redis.isListening },
    lease: { redisNow: () => redis.now },
    replySlots: {
      lend: (take: (id: number) => boolean) => redis.hasChannels && take(++lent),
      giveBack: (id: number) => given.push(id),
    },
    run: (script: unknown, _keys: unknown, args: unknown[]) => {
      // The watch of owners is not answered: nobody is gone.
      if (script !== ROUTE) return new Promise(() => {});
      expiries.push(Number(args[1]));
      for (let at = 2; at < args.length; at += 3) commands.push(args[at] as Buffer);
      return lookUps.shift()?.() ?? lookUp.promise;
    },
    send: (name: string, [channel]: unknown[]) => {
      published.push([name, channel]);
      return Promise.resolve(1);
    },
  } as unknown as RedisShard;
  const asker = new Asker({
    boot: newBoot(),
    shards: [shard],
    shardOf: () => shard,
    times: { ...defaultTimes, graceMs: 100, watchMs: 10 },
    bounds: defaultBulkBounds,
    traffic,
  });
  return {
    bus: {
      /** Begins a call. */
      start: (call: Call) => {
        const caller = new AbortController();
        return { reply: asker.call(call, caller.signal), hangUp: () => caller.abort() };
      },
      onAnswer: (callId: number, answer: Answer) => asker.onAnswer(shard, callId, answer),
      onChunk: asker.onChunk.bind(asker),
      onGap: asker.onGap.bind(asker),
      stop: asker.stop.bind(asker),
    },
    shard, lookUps, published, given, expiries, commands, redis, traffic,
    answerLookUp: (answer = 'owner') => lookUp.resolve([answer]),
  }; // prettier-ignore
}

export const aCall: Call = {
  clientId: 'client-1',
  accountId: 'a',
  head: {},
  body: Buffer.from('x'),
  budgetMs: 10_000,
};

/** Longer than a turn of the event loop, in which look-ups are collected. */
export const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
