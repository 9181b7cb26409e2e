// oxlint-disable max-lines -- It is one suite, which every driver passes.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createQuotas } from '../src/create-quotas.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import type { Limiter, PersistentLimiter, Quotas } from '../src/quotas.ts';
import { isSettled } from './settled.ts';

/** Ledgers of one driver that share one store. */
export interface LedgerFleet {
  createLedger(boot: string): Ledger;
  close(): Promise<void>;
}

/** Instances on one store: index by index, their limiters and quotas. */
interface Fleet {
  readonly limiters: Limiter[];
  readonly persistent: PersistentLimiter[];
  readonly all: Quotas[];
  /** Resolves when the ledger has answered what was asked. */
  whenAnswered(): Promise<void>;
  stop(): Promise<void>;
}

const numRuns = 40;
let keys = 0;
type Start = (
  count: number,
  options?: { windowMs?: number; tickMs?: number; totals?: Map<string, number> },
) => Promise<Fleet>;

const spend = async (limiter: Limiter, key: string, limit: number) => await limiter.spend(key, limit);
const newKey = () => `key-${++keys}`;

/** The tests that every driver of the ledger must pass, run through real instances. */
export function describeLedger(name: string, open: () => Promise<LedgerFleet>): void {
  describe(`quotas over ${name}`, () => {
    let ledgers: LedgerFleet;
    let boots = 0;
    beforeAll(async () => {
      ledgers = await open();
    });
    afterAll(() => ledgers.close());

    const start: Start = (count, options) =>
      startFleet(count, () => ledgers.createLedger(`boot-${++boots}`), options);

    describe('a quota per window', () => {
      describeWindows(start);
    });
    describe('a reserve', () => {
      describeReserves(start);
    });
    describe('a persistent quota', () => {
      describePersistent(start);
    });
    describe('hits', () => {
      describeHits(start);
    });
  });
}

async function startFleet(
  count: number,
  createLedger: () => Ledger,
  { windowMs = 60_000, tickMs = 20, totals = new Map() }: Parameters<Start>[1] = {},
): Promise<Fleet> {
  const asked = new Set<Promise<unknown>>();
  const createTracked = (): Ledger => {
    const ledger = createLedger();
    const reserve: Ledger['reserve'] = (request) => {
      const answer = ledger.reserve(request).finally(() => asked.delete(answer));
      asked.add(answer);
      return answer;
    };
    return { ...ledger, reserve };
  };
  const all = Array.from({ length: count }, () => createQuotas({ ledger: createTracked(), tickMs }));
  const limiters = all.map((quotas) => quotas.perWindow(`test-${windowMs}`, windowMs));
  const persistent = all.map((quotas) =>
    quotas.persistent('month', (key) => Promise.resolve(totals.get(key) ?? 0)),
  );
  await Promise.all(all.map((quotas) => quotas.start()));
  const stop = async () => {
    await Promise.all(all.map((quotas) => quotas.stop()));
  };
  const whenAnswered = async () => {
    await Promise.allSettled(asked);
    // The limiter takes the answer in the same turn of the event loop.
    await new Promise(setImmediate);
  };
  return { all, limiters, persistent, whenAnswered, stop };
}

function describeWindows(start: Start): void {
  it('never allows more than the limit, and refuses early by an eighth of it or by one for each other instance', async () => {
    const scenario = fc.record({
      limit: fc.integer({ min: 1, max: 300 }),
      // The index of the calling instance, and its number of simultaneous calls.
      bursts: fc.array(fc.tuple(fc.nat({ max: 3 }), fc.integer({ min: 1, max: 40 })), { maxLength: 60 }),
    });
    // With so long a tick, no reserve is returned before the first refusal.
    const { limiters, persistent, stop } = await start(4, { tickMs: 600_000 });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ limit, bursts }) => {
        for (const kind of [limiters, persistent]) {
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
          expect(refusedAt).toBeGreaterThanOrEqual(
            limit - Math.max(Math.floor(limit / 8), limiters.length - 1),
          );
        }
      }),
      { numRuns },
    );
    await stop();
  }, 60_000);

  it('allows the whole limit but an eighth at most to instances that all call at once, and never more', async () => {
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

  it('starts again when its window ends, at the time that it tells', async () => {
    const windowMs = 1_500;
    const { limiters, stop } = await start(2, { windowMs });
    const [first, second] = limiters as [Limiter, Limiter];
    const key = newKey();
    const startedAt = performance.now();
    let answer = await first.spend(key, 5);
    let askedAt = startedAt;
    while (answer.allowed) {
      askedAt = performance.now();
      answer = await first.spend(key, 5);
    }
    const endsAt = askedAt + answer.resetMs;
    expect(endsAt).toBeLessThanOrEqual(startedAt + windowMs + 50);
    expect((await second.spend(key, 5)).allowed).toBe(false);
    await expect.poll(async () => (await second.spend(key, 5)).allowed, { interval: 5 }).toBe(true);
    expect(performance.now()).toBeGreaterThanOrEqual(endsAt - 5);
    await stop();
  });

  it('applies a changed limit to the next call', async () => {
    const { limiters, stop } = await start(1);
    const [limiter] = limiters as [Limiter];
    const key = newKey();
    for (let call = 0; call < 100; call++) await limiter.spend(key, 10_000);
    expect((await limiter.spend(key, 100)).allowed).toBe(false);
    expect(await limiter.spend(key, 101)).toMatchObject({ allowed: true, remaining: 0 });
    await stop();
  });
}

function describeReserves(start: Start): void {
  it('withholds at most an eighth of the limit when busy instances fall silent', async () => {
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

  it('keeps the calls of a key from waiting, however many instances there are', async () => {
    const { limiters, whenAnswered, stop } = await start(100, { tickMs: 600_000 });
    const key = newKey();
    const waited: number[] = [];
    for (let call = 0; call < 200; call++) {
      const result = (limiters[0] as Limiter).spend(key, 300);
      if (!(await isSettled(result))) waited.push(call);
      expect((await result).allowed).toBe(true);
      await whenAnswered();
    }
    expect(waited).toEqual([0]);
    await stop();
  });

  it('is spent without waiting while it lasts', async () => {
    const { limiters, stop } = await start(1);
    const [limiter] = limiters as [Limiter];
    const key = newKey();
    for (let call = 0; call < 200; call++) await limiter.spend(key, 100_000);
    const next = limiter.spend(key, 100_000);
    expect(await isSettled(next)).toBe(true);
    expect((await next).remaining).toBe(100_000 - 201);
    await stop();
  });

  it('returns when it is unused, so that another instance can spend the last call', async () => {
    const { limiters, stop } = await start(2);
    const [first, second] = limiters as [Limiter, Limiter];
    const key = newKey();
    // Many calls within one tick, so that a reserve is taken.
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

  it('returns when its instance stops', async () => {
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
}

function describePersistent(start: Start): void {
  it('begins at the settled total, and counts a settled call once', async () => {
    const totals = new Map<string, number>();
    const { persistent, stop } = await start(2, { totals });
    const [first, second] = persistent as [PersistentLimiter, PersistentLimiter];
    const key = newKey();
    totals.set(key, 90);
    for (let call = 0; call < 4; call++) expect((await first.spend(key, 100)).allowed).toBe(true);
    // Another instance settled four more.
    first.settle(key, 4, 98);
    // A refusal under a lower limit has told the ledger what this instance holds.
    expect((await first.spend(key, 97)).allowed).toBe(false);
    let allowed = 0;
    while ((await second.spend(key, 100)).allowed) allowed++;
    expect(allowed).toBe(2);
    await stop();
  });

  it('lets another instance spend a refunded call, but no call above a limit that was lowered meanwhile', async () => {
    const { persistent, stop } = await start(2);
    const [first, second] = persistent as [PersistentLimiter, PersistentLimiter];
    const key = newKey();
    for (let call = 0; call < 10; call++) expect((await first.spend(key, 10)).allowed).toBe(true);
    expect((await second.spend(key, 10)).allowed).toBe(false);
    first.refund(key);
    first.refund(key);
    await expect.poll(async () => (await second.spend(key, 9)).allowed).toBe(true);
    expect((await first.spend(key, 9)).allowed).toBe(false);
    expect((await second.spend(key, 9)).allowed).toBe(false);
    await stop();
  });
}

function describeHits(start: Start): void {
  it('are counted over all instances together, without a gap', async () => {
    const { all, stop } = await start(2);
    const [first, second] = all as [Quotas, Quotas];
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
}
