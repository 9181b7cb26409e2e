import { expect, test } from 'vitest';
import { createMinuteCounts } from './hour-counts.ts';

test('calls are counted by minute and outcome, and what could not be written is added to what came meanwhile', () => {
  const counts = createMinuteCounts(10);
  for (const at of [60_000, 119_999, 120_000]) counts.add('ok', at);
  counts.add('client_offline', 60_001);
  const taken = counts.take();
  expect(counts.size).toBe(0);
  counts.add('ok', 60_500);
  counts.putBack(taken);
  expect(counts.take()).toEqual([
    { minute: 60_000, outcome: 'ok', calls: 3 },
    { minute: 120_000, outcome: 'ok', calls: 1 },
    { minute: 60_000, outcome: 'client_offline', calls: 1 },
  ]);
});

test('there are no more counts than the bound, and those that there are go on', () => {
  const counts = createMinuteCounts(2);
  for (const minute of [0, 1, 2, 0]) counts.add('ok', minute * 60_000);
  expect(counts.take().map(({ calls }) => calls)).toEqual([2, 1]);
});
