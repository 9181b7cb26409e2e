import { describe, expect, it, test } from 'vitest';
import {
  applyGrant,
  beginWindow,
  changeLimit,
  createQuota,
  endOutageShare,
  nextSecond,
  refundOne,
  refuse,
  settle,
  spendOne,
  takeOutageShare,
} from './quota.ts';
import type { Quota } from './quota.ts';

const quotaWith = (changed: Partial<Quota>): Quota => ({ ...createQuota('key', 100), ...changed });

const request = {
  quota: 'calls:key',
  limit: 100,
  window: 'w1',
  windowMs: 60_000,
  held: 10,
  reserve: 4,
  needed: 1,
  wanted: 5,
};
const grant = { granted: 5, held: 15, windowMs: 30_000, remaining: 40, window: 'w1' };
const times = { sentAt: 1_000, answeredAt: 1_200 };

test('a call is taken from the reserve, and tells what is left and when the window ends', () => {
  const quota = quotaWith({ reserve: 3, remaining: 20, until: 5_000 });
  expect(spendOne(quota, 1_000)).toEqual({ allowed: true, remaining: 22, resetMs: 4_000 });
  expect(quota).toMatchObject({ reserve: 2, spent: 1, currentSecond: 1 });
  expect(refuse(quota, 2_000)).toEqual({ allowed: false, remaining: 0, resetMs: 3_000 });
});

test('a refunded call goes back to the ledger, once', () => {
  const quota = quotaWith({ spent: 1, reserve: 2, remaining: 0, refusedUntil: 9_000 });
  refundOne(quota);
  refundOne(quota);
  expect(quota).toMatchObject({
    spent: 0,
    reserve: 2,
    remaining: 1,
    refusedUntil: -Infinity,
    isChanged: true,
  });
});

test('settled calls are no longer spent here, and a total never falls', () => {
  const quota = quotaWith({ spent: 3, total: 50 });
  settle(quota, 2, 52);
  expect(quota).toMatchObject({ spent: 1, total: 52, isChanged: true });
  settle(quota, 5, 40);
  expect(quota).toMatchObject({ spent: 0, total: 52 });
});

test('a window begins with nothing spent, and with all that the limit allows', () => {
  const quota = quotaWith({
    window: 'w1', spent: 9, reserve: 4, remaining: 1, isExhausted: true, refusedUntil: 9_000, hasOutageShare: true,
  }); // prettier-ignore
  beginWindow(quota, 60_000);
  expect(quota).toEqual({ ...createQuota('key', 100), until: 60_000 });
});

test('a changed limit changes what remains by as much, and drops the reserve of the old one', () => {
  const quota = quotaWith({
    spent: 9, reserve: 4, remaining: 30, isExhausted: true, refusedUntil: 9_000, hasOutageShare: true,
  }); // prettier-ignore
  changeLimit(quota, 80);
  expect(quota).toEqual({ ...createQuota('key', 80), spent: 9, remaining: 10 });
});

describe('a grant of the ledger', () => {
  it('adds to the reserve, and moves the end of the window to where the ledger has it', () => {
    const quota = quotaWith({ spent: 6, reserve: 4, window: 'w1', until: 99_000 });
    applyGrant(quota, request, grant, times);
    expect(quota).toMatchObject({ spent: 6, reserve: 9, remaining: 40, window: 'w1', until: 31_000 });
    expect(quota).toMatchObject({ isExhausted: false, refusedUntil: -Infinity });
  });

  it('in another window brings along what this instance had spent there', () => {
    const quota = quotaWith({ spent: 6, reserve: 4 });
    // The ledger has 17 for this instance: 5 of this grant, the 10 that it was told, and 2 that a former boot had spent.
    applyGrant(quota, request, { ...grant, window: 'w2', held: 17 }, times);
    expect(quota).toMatchObject({ spent: 8, window: 'w2' });
  });

  it('leaves a quota that never ends as it is', () => {
    const quota = quotaWith({ until: Infinity });
    applyGrant(quota, { ...request, windowMs: 0 }, { ...grant, windowMs: 0 }, times);
    expect(quota.until).toBe(Infinity);
  });

  it.each([
    { what: 'more than was needed', granted: 2, remaining: 0, wanted: 5, isExhausted: false },
    { what: 'what was needed, and nothing is left', granted: 1, remaining: 0, wanted: 5, isExhausted: true },
    { what: 'what was needed, and some is left', granted: 1, remaining: 1, wanted: 5, isExhausted: false },
    {
      what: 'what was needed, where no more was wanted',
      granted: 1,
      remaining: 0,
      wanted: 0,
      isExhausted: false,
    },
  ])('of $what says whether the ledger is exhausted', ({ granted, remaining, wanted, isExhausted }) => {
    const quota = quotaWith({});
    applyGrant(quota, { ...request, wanted }, { ...grant, granted, remaining }, times);
    expect(quota.isExhausted).toBe(isExhausted);
  });

  it.each([
    { granted: 0, needed: 1, refusedUntil: 1_450 },
    { granted: 0, needed: 0, refusedUntil: -Infinity },
    { granted: 1, needed: 1, refusedUntil: -Infinity },
  ])('of $granted for $needed that wait refuses until $refusedUntil', ({ granted, needed, refusedUntil }) => {
    const quota = quotaWith({});
    applyGrant(quota, { ...request, needed }, { ...grant, granted, remaining: 0 }, times);
    expect(quota.refusedUntil).toBe(refusedUntil);
  });
});

describe('while the ledger is away', () => {
  it('an instance takes its share of what remained, once', () => {
    const quota = quotaWith({ remaining: 31, reserve: 1 });
    takeOutageShare(quota, 3, 1_000);
    takeOutageShare(quota, 3, 2_000);
    expect(quota).toMatchObject({
      reserve: 11,
      remaining: 21,
      hasOutageShare: true,
      refusedUntil: -Infinity,
    });
  });

  it('calls are refused for a quarter of a second where the share is spent', () => {
    const quota = quotaWith({ remaining: -5 });
    takeOutageShare(quota, 0, 1_000);
    expect(quota).toMatchObject({ reserve: 0, remaining: -5, refusedUntil: 1_250 });
  });

  it('what is left of the share ends when the ledger is back, and no other reserve does', () => {
    const shared = quotaWith({ reserve: 7, hasOutageShare: true, refusedUntil: 9_000 });
    endOutageShare(shared);
    expect(shared).toMatchObject({ reserve: 0, hasOutageShare: false, refusedUntil: -Infinity });
    const granted = quotaWith({ reserve: 7, refusedUntil: 9_000 });
    endOutageShare(granted);
    expect(granted).toMatchObject({ reserve: 7, refusedUntil: -Infinity });
  });
});

describe('a second that ends', () => {
  it('gives back what it did not need', () => {
    const quota = quotaWith({ reserve: 9, currentSecond: 4, isExhausted: true, idleTicks: 3 });
    expect(nextSecond(quota, 1)).toBe(5);
    expect(quota).toMatchObject({ currentSecond: 0, previousSecond: 4, idleTicks: 0, isExhausted: false });
  });

  it.each([
    { what: 'ten seconds after the last call', idleTicks: 8, remaining: 2, excess: 2 },
    { what: 'longer after it', idleTicks: 9, remaining: 2, excess: 3 },
    { what: 'where other instances may need it', idleTicks: 0, remaining: 1, excess: 3 },
  ])('keeps one call or none: $what', ({ idleTicks, remaining, excess }) => {
    expect(nextSecond(quotaWith({ reserve: 3, remaining, idleTicks }), 2)).toBe(excess);
  });
});
