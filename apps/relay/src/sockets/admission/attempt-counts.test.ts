import { describe, expect, it, vi } from 'vitest';
import { createAttemptCounts } from './attempt-counts.ts';

function createTestCounts(maxPairs: number) {
  const rows: { address: string; clientId: string; outcome: string; attempts: number; userAgent: string }[] =
    [];
  const counts = createAttemptCounts({ maxPairs, write: (row) => rows.push(row) });
  const count = (address: string, clientId: string, times = 1, outcome = 'rate_limited' as const) => {
    for (let i = 0; i < times; i++)
      counts.count({ address, clientId, outcome, closeCode: null, userAgent: `browser ${i}` });
  };
  return { counts, rows, count, total: () => rows.reduce((sum, { attempts }) => sum + attempts, 0) };
}

describe('attempts that get no row of their own', () => {
  it('become one row per address, client and outcome when their minute ends', () => {
    vi.useFakeTimers();
    const { counts, rows, count } = createTestCounts(100);
    count('192.0.2.1', 'world', 3_000);
    count('192.0.2.2', 'world', 2);
    counts.count({
      address: '192.0.2.2',
      clientId: 'world',
      outcome: 'gone',
      closeCode: 1000,
      userAgent: '',
    });
    vi.advanceTimersByTime(59_999);
    expect(rows).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(rows).toMatchObject([
      { address: '192.0.2.1', clientId: 'world', attempts: 3_000, userAgent: 'browser 0' },
      { address: '192.0.2.2', clientId: 'world', attempts: 2, outcome: 'rate_limited' },
      { address: '192.0.2.2', clientId: 'world', attempts: 1, outcome: 'gone' },
    ]);
    count('192.0.2.1', 'world');
    counts.flush();
    expect(rows.at(-1)?.attempts).toBe(1);
    vi.advanceTimersByTime(120_000);
    expect(rows).toHaveLength(4);
    vi.useRealTimers();
  });

  it('of one address take no more than their share, and others still get rows by client', () => {
    const { counts, rows, count, total } = createTestCounts(100);
    for (let i = 0; i < 10_000; i++) count('192.0.2.1', `guessed ${i}`);
    count('192.0.2.2', 'world', 7);
    counts.flush();
    expect(rows).toHaveLength(7);
    expect(rows.find(({ address }) => address === '192.0.2.2')).toMatchObject({
      clientId: 'world',
      attempts: 7,
    });
    expect(rows.find(({ clientId }) => clientId === '')).toMatchObject({
      address: '192.0.2.1',
      attempts: 9_995,
      userAgent: '',
    });
    expect(total()).toBe(10_007);
  });

  it('are counted in bounded memory, whoever tries, and none is left out', () => {
    const { counts, rows, count, total } = createTestCounts(100);
    for (let i = 0; i < 10_000; i++) count(`2001:db8:${i.toString(16)}::/48`, `guessed ${i}`);
    counts.flush();
    expect(rows).toHaveLength(111);
    expect(rows.filter(({ address, clientId }) => address === '' && clientId === '')).toHaveLength(1);
    expect(total()).toBe(10_000);
  });
});
