import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Allowances, LastingLimiter, Ledger, Limiter, Spent } from '../src/allowances.ts';
import { createAllowances } from '../src/create-allowances.ts';

/** What a driver's test hands in: ledgers that share one store. */
export interface LedgerFleet {
  createLedger(boot: string): Ledger;
  close(): Promise<void>;
}

interface Fleet {
  readonly limiters: Limiter[];
  readonly lasting: LastingLimiter[];
  readonly all: Allowances[];
  stop(): Promise<void>;
}

const numRuns = 40;
let keys = 0;
const spend = async (limiter: Limiter, key: string, limit: number) => await limiter.spend(key, limit);
const newKey = () => `key-${++keys}`;

/** What every ledger must keep, with real instances before it. */
export function describeLedger(name: string, open: () => Promise<LedgerFleet>): void {
  describe(`allowances in ${name}`, () => {
    let ledgers: LedgerFleet;
    let boots = 0;
    beforeAll(async () => {
      ledgers = await open();
    });
    afterAll(() => ledgers.close());

    async function start(
      count: number,
      { windowMs = 60_000, tickMs = 20, totals = new Map<string, number>() } = {},
    ): Promise<Fleet> {
      const all = Array.from({ length: count }, () =>
        createAllowances({ ledger: ledgers.createLedger(`boot-${++boots}`), tickMs }),
      );
      const limiters = all.map((allowances) => allowances.perWindow(`test-${windowMs}`, windowMs));
      const lasting = all.map((allowances) =>
        allowances.lasting('month', (key) => Promise.resolve(totals.get(key) ?? 0)),
      );
      await Promise.all(all.map((allowances) => allowances.start()));
      const stop = async () => {
        await Promise.all(all.map((allowances) => allowances.stop()));
      };
      return { all, limiters, lasting, stop };
    }

    it('never allows more than the limit, and refuses early by at most an eighth of it', async () => {
      const scenario = fc.record({
        limit: fc.integer({ min: 1, max: 300 }),
        // Which instance calls, and how often at once.
        bursts: fc.array(fc.tuple(fc.nat({ max: 3 }), fc.integer({ min: 1, max: 40 })), { maxLength: 60 }),
      });
      // No reserve goes back before the refusal.
      const { limiters, lasting, stop } = await start(4, { tickMs: 600_000 });
      await fc.assert(
        fc.asyncProperty(scenario, async ({ limit, bursts }) => {
          for (const kind of [limiters, lasting]) {
            const key = newKey();
            let allowed = 0;
            let refusedAt: number | undefined;
            const rest: [number, number][] = Array.from({ length: limit + 1 }, () => [0, 1]);
            for (const [index, calls] of [...bursts, ...rest]) {
              const limiter = kind[index] as Limiter;
              const answers = await Promise.all(
                Array.from({ length: calls }, () => spend(limiter, key, limit)),
              );
              allowed += answers.filter((answer) => answer.allowed).length;
              if (answers.some((answer) => !answer.allowed)) refusedAt ??= allowed;
            }
            expect(allowed).toBeLessThanOrEqual(limit);
            expect(refusedAt).toBeGreaterThanOrEqual(limit - Math.floor(limit / 8));
          }
        }),
        { numRuns },
      );
      await stop();
    }, 60_000);

    it('holds back at most an eighth where busy instances fall silent', async () => {
      const { limiters, stop } = await start(4, { tickMs: 600_000 });
      const [last, ...others] = limiters as [Limiter, ...Limiter[]];
      const key = newKey();
      let allowed = 0;
      for (const limiter of others) {
        for (let call = 0; call < 60; call++, allowed++) await limiter.spend(key, 1_000);
      }
      while ((await last.spend(key, 1_000)).allowed) allowed++;
      expect(allowed).toBeGreaterThanOrEqual(875);
      expect(allowed).toBeLessThan(1_000);
      await stop();
    });

    it('gives every call of the limit to instances that all call at once, and not one more', async () => {
      const { limiters, stop } = await start(3);
      const key = newKey();
      const answers = await Promise.all(
        Array.from({ length: 3_000 }, (_, index) => spend(limiters[index % 3] as Limiter, key, 1_000)),
      );
      const allowed = answers.filter((answer) => answer.allowed).length;
      expect(allowed).toBeLessThanOrEqual(1_000);
      expect(allowed).toBeGreaterThanOrEqual(875);
      await stop();
    });

    it('answers without a promise while the reserve lasts', async () => {
      const { limiters, stop } = await start(1);
      const [limiter] = limiters as [Limiter];
      const key = newKey();
      for (let call = 0; call < 200; call++) await limiter.spend(key, 100_000);
      const next = limiter.spend(key, 100_000);
      expect(next).not.toBeInstanceOf(Promise);
      expect((next as Spent).left).toBe(100_000 - 201);
      await stop();
    });

    it('gives an unused reserve back, so that another instance can spend the last call', async () => {
      const { limiters, stop } = await start(2);
      const [first, second] = limiters as [Limiter, Limiter];
      const key = newKey();
      // Enough calls at a time that a reserve is taken.
      for (let call = 0; call < 50; call++)
        expect(await first.spend(key, 200)).toMatchObject({ allowed: true });
      let allowed = 50;
      await expect
        .poll(async () => {
          while ((await second.spend(key, 200)).allowed) allowed++;
          return allowed;
        })
        .toBe(200);
      await stop();
    });

    it('gives the reserve back when an instance stops', async () => {
      const { limiters, all, stop } = await start(2);
      const [first, second] = limiters as [Limiter, Limiter];
      const key = newKey();
      for (let call = 0; call < 50; call++) await first.spend(key, 400);
      await all[0]?.stop();
      let allowed = 50;
      while ((await second.spend(key, 400)).allowed) allowed++;
      expect(allowed).toBe(400);
      await stop();
    });

    it('begins anew when the window ends, and says when that is', async () => {
      const windowMs = 400;
      const { limiters, stop } = await start(2, { windowMs });
      const [first, second] = limiters as [Limiter, Limiter];
      const key = newKey();
      const startedAt = performance.now();
      let answer = await first.spend(key, 5);
      while (answer.allowed) answer = await first.spend(key, 5);
      const endsAt = performance.now() + answer.resetMs;
      expect(endsAt).toBeLessThanOrEqual(startedAt + windowMs + 50);
      expect((await second.spend(key, 5)).allowed).toBe(false);
      await expect.poll(async () => (await second.spend(key, 5)).allowed, { interval: 5 }).toBe(true);
      expect(performance.now()).toBeGreaterThanOrEqual(endsAt - 5);
      await stop();
    });

    it('takes a new limit at once', async () => {
      const { limiters, stop } = await start(1);
      const [limiter] = limiters as [Limiter];
      const key = newKey();
      for (let call = 0; call < 100; call++) await limiter.spend(key, 10_000);
      expect((await limiter.spend(key, 100)).allowed).toBe(false);
      expect(await limiter.spend(key, 101)).toMatchObject({ allowed: true, left: 0 });
      await stop();
    });

    it('begins a lasting budget at what was settled elsewhere, and settles what it spent', async () => {
      const totals = new Map<string, number>();
      const { lasting, stop } = await start(2, { totals });
      const [first, second] = lasting as [LastingLimiter, LastingLimiter];
      const key = newKey();
      totals.set(key, 90);
      for (let call = 0; call < 4; call++) expect((await first.spend(key, 100)).allowed).toBe(true);
      totals.set(key, 94);
      first.settle(key, 4, 94);
      let allowed = 0;
      await expect
        .poll(async () => {
          while ((await second.spend(key, 100)).allowed) allowed++;
          return allowed;
        })
        .toBe(6);
      await stop();
    });

    it('lets another instance spend what was given back, and never more than a limit that fell meanwhile', async () => {
      const { lasting, stop } = await start(2);
      const [first, second] = lasting as [LastingLimiter, LastingLimiter];
      const key = newKey();
      for (let call = 0; call < 10; call++) expect((await first.spend(key, 10)).allowed).toBe(true);
      expect((await second.spend(key, 10)).allowed).toBe(false);
      first.giveBack(key);
      first.giveBack(key);
      await expect.poll(async () => (await second.spend(key, 9)).allowed).toBe(true);
      expect((await first.spend(key, 9)).allowed).toBe(false);
      expect((await second.spend(key, 9)).allowed).toBe(false);
      await stop();
    });

    it('counts hits of all instances together', async () => {
      const { all, stop } = await start(2);
      const [first, second] = all as [Allowances, Allowances];
      const key = newKey();
      const hits = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 ? first : second).hit(key, 10_000)),
      );
      expect(hits.map((hit) => hit.count).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
      for (const { resetMs } of hits) expect(resetMs).toSatisfy((ms: number) => ms > 9_000 && ms <= 10_000);
      await stop();
    });
  });
}
