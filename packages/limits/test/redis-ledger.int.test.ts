import { startRedis } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeLedger } from './conformance.ts';
import type { Ledger, ReserveRequest } from '../src/ledger/ledger.ts';
import { grantOf } from '../src/ledger/ledger.ts';
import { createRedisLedger } from '../src/ledger/redis-ledger.ts';

describeLedger('Redis', async () => {
  const redis = await startRedis();
  return { createLedger: (boot) => createRedisLedger({ url: redis.url, boot }), close: () => redis.stop() };
});

describe('the ledger in Redis', () => {
  let redis: TestRedis;
  let admin: Redis;
  beforeAll(async () => {
    redis = await startRedis();
    admin = new Redis(redis.url);
  });
  afterAll(async () => {
    admin.disconnect();
    await redis.stop();
  });

  const open = (count: number): Ledger[] =>
    Array.from({ length: count }, (_, index) => createRedisLedger({ url: redis.url, boot: `boot-${index}` }));
  const request: ReserveRequest = {
    quota: 'calls:key',
    limit: 1_000,
    window: '',
    windowMs: 60_000,
    held: 0,
    reserve: 0,
    needed: 0,
    wanted: 0,
  };
  const countRuns = async (command: string) =>
    Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await admin.info('commandstats'))?.[1] ?? 0);

  it('reserves of several quotas in one script, and reads no other instance’s field while none comes or goes', async () => {
    const ledgers = open(20);
    await Promise.all(ledgers.map((ledger) => ledger.heartbeat()));
    const reserveAll = () =>
      Promise.all(
        ledgers.flatMap((ledger) => [
          ledger.reserve({ ...request, needed: 1 }),
          ledger.reserve({ ...request, quota: 'month:key', windowMs: 0, total: 0, needed: 1 }),
        ]),
      );
    await reserveAll();
    await admin.config('RESETSTAT');
    const grants = await reserveAll();
    expect(grants.map((grant) => grant?.granted)).toEqual(Array.from({ length: 40 }, () => 1));
    expect(await countRuns('evalsha')).toBe(20);
    expect(await countRuns('hgetall')).toBe(0);
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  });

  it('grants by the rule, whoever comes, goes or dies', async () => {
    const boots = 4;
    const step = fc.record({
      boot: fc.nat({ max: boots - 1 }),
      act: fc.constantFrom('reserve', 'reserve', 'reserve', 'leave', 'join'),
      knowsWindow: fc.boolean(),
      held: fc.nat({ max: 60 }),
      needed: fc.nat({ max: 20 }),
      wanted: fc.nat({ max: 20 }),
    });
    const scenario = fc.record({ persistent: fc.boolean(), steps: fc.array(step, { maxLength: 40 }) });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ persistent, steps }) => {
        await admin.flushall();
        const ledgers = open(boots);
        const held = new Map<number, number>();
        const registered = new Set<number>();
        const answers: unknown[] = [];
        const expected: unknown[] = [];
        let window = '';
        for (const { boot, act, knowsWindow, ...wishes } of steps) {
          const ledger = ledgers[boot] as Ledger;
          if (act === 'join') {
            await ledger.heartbeat();
            registered.add(boot);
          } else if (act === 'leave') {
            await ledger.close();
            ledgers[boot] = createRedisLedger({ url: redis.url, boot: `boot-${boot}` });
            registered.delete(boot);
          } else {
            const asked: ReserveRequest = {
              ...request,
              ...wishes,
              window: knowsWindow ? window : '',
              limit: 100,
            };
            if (persistent) Object.assign(asked, { windowMs: 0, total: 10 });
            const grant = await ledger.reserve(asked);
            // Of another window the ledger knows better what the instance holds.
            const stated = knowsWindow ? wishes.held : (held.get(boot) ?? wishes.held);
            held.set(boot, stated);
            // What a dead instance held of a persistent quota is in the total.
            if (persistent)
              for (const other of held.keys())
                if (other !== boot && !registered.has(other)) held.delete(other);
            const sum = [...held.values()].reduce((total, calls) => total + calls, 0);
            const granted = grantOf(asked, 100 - sum - (persistent ? 10 : 0), registered.size);
            answers.push([grant?.granted, grant?.held]);
            expected.push([granted, stated + granted]);
            held.set(boot, stated + granted);
            window = grant?.window ?? '';
          }
        }
        await Promise.all(ledgers.map((ledger) => ledger.close()));
        expect(answers).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
