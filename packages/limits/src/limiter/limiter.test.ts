import { describe, expect, it } from 'vitest';
import type { LedgerLink } from '../ledger/ledger-link.ts';
import { isSettled } from '../../test/settled.ts';
import { createLimiter } from './limiter.ts';
import { createLedgerMemory, createMemoryLedger } from '../ledger/memory-ledger.ts';

const limit = 300;
const everyMs = 60_000 / limit;

/** Instances on one ledger, in simulated time. */
async function startFleet(count: number) {
  let now = 0;
  const memory = createLedgerMemory(() => now);
  const ledgers = Array.from({ length: count }, (_, index) => createMemoryLedger(`boot-${index}`, memory));
  await Promise.all(ledgers.map((ledger) => ledger.heartbeat()));
  const links = ledgers.map((ledger): LedgerLink => {
    const heartbeat = () => Promise.resolve();
    return { ledger, now: () => now, instances: count, isDown: false, onFailure: () => {}, heartbeat };
  });
  const limiters = links.map((link) => createLimiter(link, { name: 'calls', windowMs: 60_000 }));
  const at = (index: number) => limiters[index % count] as (typeof limiters)[0];
  return {
    /** Whether the call was allowed, and whether it waited for the ledger. */
    async call(index: number, max = limit): Promise<{ allowed: boolean; waited: boolean }> {
      const result = at(index).spend('key', max);
      const waited = !(await isSettled(result));
      const { allowed } = await result;
      // What was asked of the ledger ahead is answered before the next call.
      await new Promise(setImmediate);
      return { allowed, waited };
    },
    /** The ledger is away while `work` runs. */
    async outage(work: () => Promise<void>): Promise<void> {
      for (const link of links) link.isDown = true;
      await work();
      for (const link of links) link.isDown = false;
      for (const limiter of limiters) limiter.onRecovery();
      await new Promise(setImmediate);
    },
    async pass(ms: number): Promise<void> {
      for (const end = now + ms; now < end;) {
        now += Math.min(1_000 - (now % 1_000), end - now);
        if (now % 1_000 === 0) for (const limiter of limiters) limiter.tick();
        await new Promise(setImmediate);
      }
    },
  };
}

describe('of the calls of a key that may make 300 a minute, and makes as many', () => {
  it.each([
    { instances: 1, waiting: [1, 0] },
    { instances: 10, waiting: [10, 0] },
    { instances: 38, waiting: [38, 0] },
    // Each instance is called once in 20 s and keeps a call for 10 s.
    { instances: 100, waiting: [100, 100] },
  ])(
    'over $instances instances in turn, $waiting of the first and the second 100 wait, and few of the last are refused',
    async ({ instances, waiting }) => {
      const { call, pass } = await startFleet(instances);
      const answers: { allowed: boolean; waited: boolean }[] = [];
      for (let index = 0; index < limit; index++) {
        answers.push(await call(index));
        await pass(everyMs);
      }
      const waits = (from: number) => answers.slice(from, from + 100).filter(({ waited }) => waited).length;
      expect([waits(0), waits(100)]).toEqual(waiting);
      const unspent = Math.max(limit / 8, instances);
      expect(answers.slice(0, limit - unspent).every(({ allowed }) => allowed)).toBe(true);
      expect(answers.filter(({ allowed }) => !allowed).length).toBeLessThanOrEqual(5);
    },
  );

  it.each([1, 10, 38, 100])('on one of %i instances, only the first waits', async (instances) => {
    const { call, pass } = await startFleet(instances);
    const waited: number[] = [];
    for (let index = 0; index < limit; index++) {
      if ((await call(0)).waited) waited.push(index);
      await pass(everyMs);
    }
    expect(waited).toEqual([0]);
  });
});

describe('a call that an instance keeps in reserve', () => {
  it('is kept for 10 s after the last call, and then another instance may spend it', async () => {
    const { call, pass } = await startFleet(2);
    await call(0);
    await pass(9_000);
    for (let left = limit - 2; left > 0; left--) expect((await call(1)).allowed).toBe(true);
    expect((await call(1)).allowed).toBe(false);
    await pass(1_000);
    expect((await call(1)).allowed).toBe(false);
    await pass(1_000);
    expect((await call(1)).allowed).toBe(true);
  });

  it('goes back after a second where fewer remain than there are instances', async () => {
    const { call, pass } = await startFleet(2);
    await call(0, 3);
    await call(1, 3);
    expect((await call(1, 3)).allowed).toBe(false);
    await pass(2_000);
    expect((await call(1, 3)).allowed).toBe(true);
  });
});

it('an instance that has spent its share of an outage may go on as soon as the ledger is back', async () => {
  const { call, outage } = await startFleet(2);
  await call(0, 10);
  await outage(async () => {
    while ((await call(0, 10)).allowed);
  });
  expect((await call(0, 10)).allowed).toBe(true);
});
