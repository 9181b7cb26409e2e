import { createMemoryLedger, createQuotas } from '@tabletop-relay/limits';
import type { Quotas } from '@tabletop-relay/limits';
import { expect, test } from 'vitest';
import type { Principal } from './authenticate.ts';
import { createCallLimits } from './call-limits.ts';

const quotas = { perWindow: () => ({}) } as unknown as Quotas;
const key = (keyId: string) => ({ keyId }) as Principal;

function setUp(callsInFlightPerKey: number) {
  return createCallLimits({
    callsPerMinute: 0,
    callsInFlightPerKey,
    quotas,
    monthly: { spend: () => Promise.resolve(0), count: () => {}, refund: () => {} },
  });
}

test('a key may have as many calls in flight as the limit says, and the next is refused', () => {
  const { enter } = setUp(2);
  enter(key('a'));
  enter(key('a'));
  expect(() => enter(key('a'))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  enter(key('b'));
});

test('each call that ends makes room for one', () => {
  const { enter } = setUp(2);
  const [first, second] = [enter(key('a')), enter(key('a'))];
  first();
  const third = enter(key('a'));
  expect(() => enter(key('a'))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  second();
  third();
  enter(key('a'));
  enter(key('a'));
  expect(() => enter(key('a'))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
});

test('without a limit a minute no header tells of one', async () => {
  expect(await setUp(1).spendMinute(key('a'))).toEqual({});
});

test('the headers of a limit a minute tell what is left, and the first call above it is told when to come back', async () => {
  const { spendMinute } = createCallLimits({
    callsPerMinute: 2,
    callsInFlightPerKey: 1,
    quotas: createQuotas({ ledger: createMemoryLedger('test') }),
    monthly: { spend: () => Promise.resolve(0), count: () => {}, refund: () => {} },
  });
  const leftOf = async (id: string) => {
    const headers = await spendMinute(key(id));
    return headers['ratelimit-remaining'];
  };
  const left = () => leftOf('a');
  expect([await left(), await left()]).toEqual(['1', '0']);
  await expect(left()).rejects.toMatchObject({
    code: 'rate_limited',
    headers: { 'retry-after': '60', 'ratelimit-limit': '2', 'ratelimit-remaining': '0' },
  });
  expect(await leftOf('b')).toBe('1');
});
