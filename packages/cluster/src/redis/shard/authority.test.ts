import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defaultTimes } from '../times.ts';
import { createShardAuthority, momentNow } from './lease.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The wall clock goes on while the monotonic clock stands still. */
const suspend = (ms: number) => vi.setSystemTime(Date.now() + ms);

function renewedAuthority() {
  const authority = createShardAuthority(defaultTimes);
  authority.renewed(momentNow(), performance.now());
  return authority;
}

describe('the authority over the clients of a shard', () => {
  test('ends before the lease does, unless a hold or a renewal comes first', () => {
    const authority = renewedAuthority();
    const term = authority.term();
    vi.advanceTimersByTime(3_400);
    expect(authority.of(term)).toBe('owner');
    authority.held(momentNow());
    vi.advanceTimersByTime(200);
    expect(authority.of(term)).toBe('held');
    vi.advanceTimersByTime(5_400);
    expect(authority.of(term)).toBe('frozen');
    authority.held(momentNow());
    expect(authority.isUsable()).toBe(false);
    expect(authority.renewed(momentNow(), performance.now())).toBe(true);
    expect(authority.of(term)).toBe('frozen');
  });

  test.each([
    { by: 'owner', sinceMs: 1_000 },
    { by: 'held', sinceMs: 4_000 },
  ])('as $by does not outlast that its machine was suspended', ({ by, sinceMs }) => {
    const authority = renewedAuthority();
    const term = authority.term();
    authority.held(momentNow());
    vi.advanceTimersByTime(sinceMs);
    suspend(400);
    expect(authority.of(term)).toBe(by);
    suspend(200);
    expect([authority.of(term), authority.isUsable()]).toEqual(['frozen', false]);
    authority.held(momentNow());
    expect(authority.isUsable()).toBe(false);
    // Its claims must be asserted again: another may have taken them.
    expect(authority.renewed(momentNow(), performance.now())).toBe(true);
    expect([authority.of(term), authority.of(authority.term())]).toEqual(['frozen', 'owner']);
  });

  test('is not given by a renewal that was answered before its machine was suspended, and read after', () => {
    const authority = renewedAuthority();
    const sent = momentNow();
    suspend(10_000);
    authority.renewed(sent, performance.now());
    expect(authority.of(authority.term())).toBe('frozen');
  });

  test('stays when the wall clock is set back', () => {
    const authority = renewedAuthority();
    suspend(-60_000);
    expect(authority.of(authority.term())).toBe('owner');
  });
});
