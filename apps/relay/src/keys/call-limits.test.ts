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
    monthly: { spend: () => 0, count: () => {}, refund: () => {} },
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
  const { enter, leave } = setUp(2);
  enter(key('a'));
  enter(key('a'));
  leave(key('a'));
  enter(key('a'));
  expect(() => enter(key('a'))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  leave(key('a'));
  leave(key('a'));
  enter(key('a'));
  enter(key('a'));
  expect(() => enter(key('a'))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
});

test('without a limit a minute no header tells of one', async () => {
  expect(await setUp(1).spendMinute(key('a'))).toEqual({});
});
