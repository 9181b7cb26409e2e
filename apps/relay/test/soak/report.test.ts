import { expect, test } from 'vitest';
import type { RollingRestartReport } from '../cluster/rolling/rolling-restart.ts';
import { brokenPromises, renderSoak } from './report.ts';

const kept: RollingRestartReport = {
  sdk: { ok: 10, notSent: 0, cut: 0, failed: [] },
  bare: { ok: 8, notSent: 2, cut: 0, failed: [] },
  longestAwayMs: { sdk: 0, bare: 4_000 },
  slowestCallMs: 80,
  onlineAtTheEnd: 12,
  brokenBefore: [],
};

test('a restart that keeps its promises breaks none', () => {
  expect(brokenPromises(kept, 12)).toEqual([]);
});

test.each<[string, Partial<RollingRestartReport>]>([
  ['on our SDK failed', { sdk: { ok: 9, notSent: 1, cut: 0, failed: [] } }],
  ['on our SDK failed', { sdk: { ok: 9, notSent: 0, cut: 0, failed: ['502'] } }],
  ['not as 503', { bare: { ok: 9, notSent: 0, cut: 0, failed: ['502'] } }],
  ['away for more than', { longestAwayMs: { sdk: 251, bare: 0 } }],
  ['not back', { onlineAtTheEnd: 11 }],
  ['a stream begins', { brokenBefore: ['a stream begins at once'] }],
])('it is told that something is broken: %s', (promise, change) => {
  expect(brokenPromises({ ...kept, ...change }, 12)).toEqual([expect.stringContaining(promise)]);
});

test('failures are shown, and not more than ten', () => {
  const failed = Array.from({ length: 30 }, (_, index) => `failure ${index}`);
  const text = renderSoak({ ...kept, sdk: { ok: 0, notSent: 0, cut: 0, failed } });
  expect(text.match(/failure \d/g)).toHaveLength(10);
});
