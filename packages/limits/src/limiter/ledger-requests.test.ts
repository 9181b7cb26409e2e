import { describe, expect, it } from 'vitest';
import type { LedgerLink } from '../ledger/ledger-link.ts';
import type { Grant, ReserveRequest } from '../ledger/ledger.ts';
import { isSettled } from '../../test/settled.ts';
import { createLimiter } from './limiter.ts';
import type { LimiterOptions } from './refill.ts';

const limit = 100;
const windowMs = 60_000;

/** A limiter whose ledger grants what it is told, and keeps what it was asked. */
async function setUp(granted: number, options: Partial<LimiterOptions> = {}) {
  let now = 0;
  let isSilent = false;
  const asked: ReserveRequest[] = [];
  const reserve = async (request: ReserveRequest): Promise<Grant> => {
    asked.push(request);
    if (isSilent) await new Promise<never>(() => {});
    const all = granted;
    granted = 0;
    return { granted: all, held: request.held + all, windowMs: request.windowMs, remaining: 0, window: 'w' };
  };
  const ledger = { reserve } as unknown as LedgerLink['ledger'];
  const link = { ledger, now: () => now, instances: 1, isDown: false } as LedgerLink;
  const limiter = createLimiter(link, { name: 'calls', windowMs, ...options });
  const spend = async (times: number) => {
    for (; times > 0; times--) await limiter.spend('key', limit);
  };
  return {
    ...limiter,
    asked,
    link,
    spend,
    isAllowed: async () => (await limiter.spend('key', limit)).allowed,
    /** Whether a call is decided without the ledger. */
    isDecided: (max = limit) => isSettled(limiter.spend('key', max)),
    at: (ms: number) => void (now = ms),
    grant: (more: number) => void (granted = more),
    silence: () => void (isSilent = true),
  };
}

it('a reserve that may last another second is not filled up', async () => {
  const { spend, asked } = await setUp(3);
  await spend(2);
  expect(asked).toHaveLength(1);
  await spend(1);
  expect(asked).toHaveLength(2);
});

it('as many calls are asked for as the last two seconds needed', async () => {
  const { spend, asked, tick } = await setUp(6);
  await spend(3);
  tick();
  await spend(2);
  expect(asked.map(({ wanted }) => wanted)).toEqual([1, 5]);
});

it('a call on the last millisecond of a window opens the next', async () => {
  const { spend, asked, at, isDecided } = await setUp(3);
  await spend(1);
  at(windowMs - 1);
  expect(await isDecided()).toBe(true);
  at(windowMs);
  expect(await isDecided()).toBe(false);
  expect(asked.map(({ window, held }) => ({ window, held }))).toEqual([
    { window: '', held: 0 },
    { window: '', held: 0 },
  ]);
});

it('a reserve ends with its window, also while the ledger is asked', async () => {
  const { spend, asked, at, silence, isDecided } = await setUp(4);
  await spend(2);
  silence();
  await spend(1);
  expect(asked).toHaveLength(2);
  at(windowMs);
  expect(await isDecided()).toBe(false);
});

it('a limit that never ends is asked for without a window', async () => {
  const { spend, asked } = await setUp(1, { windowMs: 0 });
  await spend(1);
  expect(asked.map(({ windowMs }) => windowMs)).toEqual([0]);
});

it('a limit that never ends shares what its settled calls leave, where the ledger is down', async () => {
  const readTotal = () => Promise.resolve(limit - 2);
  const { link, isAllowed } = await setUp(0, { windowMs: 0, readTotal });
  link.isDown = true;
  expect([await isAllowed(), await isAllowed(), await isAllowed()]).toEqual([true, true, false]);
});

it('a call under another limit spends nothing that was granted under the old one', async () => {
  const { spend, asked, silence, isDecided } = await setUp(4);
  await spend(2);
  silence();
  await spend(1);
  expect(asked).toHaveLength(2);
  expect(await isDecided(limit - 1)).toBe(false);
});

it('a refusal stands for a quarter of a second, and then the ledger is asked', async () => {
  const { spend, asked, at, grant, isDecided } = await setUp(0);
  await spend(1);
  at(249);
  expect(await isDecided()).toBe(true);
  grant(2);
  at(250);
  await spend(1);
  expect(asked).toHaveLength(2);
});

it('a tick asks nothing where nothing changed, or while the ledger is asked', async () => {
  const { spend, asked, tick, refund, silence } = await setUp(4);
  await spend(2);
  tick();
  expect(asked).toHaveLength(1);
  refund('key');
  silence();
  tick();
  expect(asked).toHaveLength(2);
  refund('key');
  tick();
  expect(asked).toHaveLength(2);
});

it('a tick of an outage leaves what changed to the tick after it', async () => {
  const { spend, asked, tick, link, refund } = await setUp(1);
  await spend(1);
  refund('key');
  link.isDown = true;
  tick();
  link.isDown = false;
  tick();
  expect(asked).toHaveLength(2);
  expect(asked.at(-1)).toMatchObject({ held: 0, reserve: 0 });
});

it('what was refunded is told to the ledger, and makes no call of nothing', async () => {
  const { spend, asked, tick, refund } = await setUp(1);
  await spend(1);
  refund('key');
  tick();
  expect(asked.at(-1)).toMatchObject({ held: 0, reserve: 0, wanted: 0, needed: 0 });
});

it('what was spent in an outage is reported as soon as it ends', async () => {
  const { spend, asked, link, onRecovery } = await setUp(3);
  await spend(1);
  link.isDown = true;
  await spend(1);
  link.isDown = false;
  onRecovery();
  expect(asked).toHaveLength(2);
  expect(asked.at(-1)).toMatchObject({ held: 3, wanted: 0 });
});

describe('a key that calls no more is forgotten', () => {
  it('when its window has ended and a second has passed without a call', async () => {
    const { spend, at, tick, kept, grant } = await setUp(1);
    await spend(1);
    at(windowMs - 1);
    tick();
    tick();
    expect(kept()).toBe(1);
    grant(1);
    await spend(1);
    at(2 * windowMs);
    // Its last second tells how much the next one may need.
    tick();
    expect(kept()).toBe(1);
    tick();
    expect(kept()).toBe(0);
  });

  it('after a minute where it holds nothing, and not before', async () => {
    const { spend, tick, kept } = await setUp(1);
    await spend(1);
    for (let ticks = 0; ticks < 100; ticks++) tick();
    // What it spent counts until the window ends.
    expect(kept()).toBe(1);
    const idle = await setUp(0);
    await idle.spend(1);
    for (let ticks = 0; ticks < 60; ticks++) idle.tick();
    expect(idle.kept()).toBe(1);
    idle.tick();
    expect(idle.kept()).toBe(0);
  });

  it('but not before what it still holds was returned', async () => {
    const { spend, tick, kept, link, refund, asked } = await setUp(2);
    await spend(1);
    refund('key');
    tick();
    await new Promise(setImmediate);
    expect(asked.at(-1)).toMatchObject({ held: 1, reserve: 1 });
    link.isDown = true;
    for (let ticks = 0; ticks < 61; ticks++) tick();
    link.isDown = false;
    tick();
    await new Promise(setImmediate);
    expect(asked.at(-1)).toMatchObject({ held: 0, reserve: 0 });
    tick();
    expect(kept()).toBe(0);
  });
});
