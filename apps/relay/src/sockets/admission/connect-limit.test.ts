import Value from 'typebox/value';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { limitSettings, readLimits } from '../../limits/limits.ts';
import { createLimitConnects } from './connect-limit.ts';
import type { ProblemError } from '../../problem.ts';
import type { Visitor } from './visitor.ts';

const defaults = Object.fromEntries(
  Object.entries(limitSettings).map(([name, setting]) => [name, Value.Create(setting)]),
) as Record<keyof typeof limitSettings, string>;

function createTestLimit(limitConnect = defaults.limitConnect) {
  const refused: string[] = [];
  const limitConnects = createLimitConnects({
    limits: readLimits({ ...defaults, limitConnect }),
    connectionLog: { count: ({ address }) => refused.push(address) },
  });
  const refusalOf = (visitor: Pick<Visitor, 'address' | 'clientId'>): ProblemError | undefined => {
    try {
      limitConnects(visitor as Visitor);
      return undefined;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'rate_limited') throw error;
      return error as ProblemError;
    }
  };
  const isLetIn = (visitor: Pick<Visitor, 'address' | 'clientId'>) => refusalOf(visitor) === undefined;
  /** How many of so many attempts are let in. */
  const attempt = (address: string, clientId: string, times = 1) =>
    Array.from({ length: times }, () => isLetIn({ address, clientId })).filter(Boolean).length;
  return { attempt, refusalOf, refused };
}

describe('the default limit of attempts to connect', () => {
  it('is never met by 10,000 worlds behind one address, each with the seven tries of a minute’s back-off', () => {
    const { attempt } = createTestLimit();
    for (let world = 0; world < 10_000; world++) expect(attempt('192.0.2.1', `world ${world}`, 7)).toBe(7);
  });

  it('is met by one address that goes on, and for no other address and no other world', () => {
    const { attempt, refused } = createTestLimit();
    expect(attempt('192.0.2.1', 'world', 3_000)).toBe(60);
    expect(attempt('192.0.2.1', 'another world', 3)).toBe(3);
    expect(attempt('192.0.2.2', 'world', 3)).toBe(3);
    expect(new Set(refused)).toEqual(new Set(['192.0.2.1']));
  });
});

it('a limit of attempts to connect counts IPv6 by /64, and by /48 with four times as many', () => {
  const { attempt, refused } = createTestLimit('2 per 1 min');
  // What one /64 is refused does not count against its neighbours.
  expect(attempt('2001:db8:1:1::1', 'world', 50) + attempt('2001:db8:1:1::2', 'world', 50)).toBe(2);
  let inOneSite = 0;
  for (let i = 2; i < 10; i++) inOneSite += attempt(`2001:db8:1:${i}::1`, 'world', 2);
  expect(inOneSite).toBe(6);
  expect(new Set(refused)).toEqual(new Set(['2001:db8:1:1::/64', '2001:db8:1::/48']));
  expect(attempt('2001:db8:2::1', 'world')).toBe(1);
});

it('who is refused is told when the next attempt counts, in seconds', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { attempt, refusalOf } = createTestLimit('2 per 1 min');
  const visitor = { address: '192.0.2.1', clientId: 'world' };
  expect(attempt(visitor.address, visitor.clientId, 2)).toBe(2);
  vi.advanceTimersByTime(10_000);
  expect(refusalOf(visitor)?.headers).toMatchObject({ 'retry-after': '50' });
  vi.advanceTimersByTime(50_000);
  expect(refusalOf(visitor)).toBeUndefined();
});
