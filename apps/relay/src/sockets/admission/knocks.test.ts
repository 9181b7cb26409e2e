import Value from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { limitSettings, readLimits } from '../../limits/limits.ts';
import { createLimitKnocks } from './knocks.ts';
import type { Visitor } from './visitor.ts';

const defaults = Object.fromEntries(
  Object.entries(limitSettings).map(([name, setting]) => [name, Value.Create(setting)]),
) as Record<keyof typeof limitSettings, string>;

function createTestKnocks(limitConnect = defaults.limitConnect) {
  const refused: string[] = [];
  const limitKnocks = createLimitKnocks({
    limits: readLimits({ ...defaults, limitConnect }),
    connectionLog: { count: ({ address }) => refused.push(address) },
  });
  const isLetIn = (visitor: Pick<Visitor, 'address' | 'clientId'>) => {
    try {
      limitKnocks(visitor as Visitor);
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'rate_limited') throw error;
      return false;
    }
  };
  /** How many of so many knocks are let in. */
  const knock = (address: string, clientId: string, times = 1) =>
    Array.from({ length: times }, () => isLetIn({ address, clientId })).filter(Boolean).length;
  return { knock, refused };
}

describe('the default limit of attempts to connect', () => {
  it('is never met by 10,000 worlds behind one address, each with the seven tries of a minute’s back-off', () => {
    const { knock } = createTestKnocks();
    for (let world = 0; world < 10_000; world++) expect(knock('192.0.2.1', `world ${world}`, 7)).toBe(7);
  });

  it('is met by one address that goes on, and for no other address and no other world', () => {
    const { knock, refused } = createTestKnocks();
    expect(knock('192.0.2.1', 'world', 3_000)).toBe(60);
    expect(knock('192.0.2.1', 'another world', 3)).toBe(3);
    expect(knock('192.0.2.2', 'world', 3)).toBe(3);
    expect(new Set(refused)).toEqual(new Set(['192.0.2.1']));
  });
});

it('a limit of attempts to connect counts IPv6 by /64, and by /48 with four times as many', () => {
  const { knock, refused } = createTestKnocks('2 per 1 min');
  // What one /64 is refused does not count against its neighbours.
  expect(knock('2001:db8:1:1::1', 'world', 50) + knock('2001:db8:1:1::2', 'world', 50)).toBe(2);
  let inOneSite = 0;
  for (let i = 2; i < 10; i++) inOneSite += knock(`2001:db8:1:${i}::1`, 'world', 2);
  expect(inOneSite).toBe(6);
  expect(new Set(refused)).toEqual(new Set(['2001:db8:1:1::/64', '2001:db8:1::/48']));
  expect(knock('2001:db8:2::1', 'world')).toBe(1);
});
