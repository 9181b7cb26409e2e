import { expect, test } from 'vitest';
import { measureRunningTime } from './running-time.ts';
import { waitFor } from './wait-for.ts';

test('time in which the process waits for events counts, time in which it stands still does not', async () => {
  const since = performance.now();
  const waited = measureRunningTime();
  await waitFor(() => performance.now() - since > 200);
  const waitedMs = waited();
  expect(waitedMs).toBeGreaterThan(20);
  expect(waitedMs).toBeLessThanOrEqual(performance.now() - since);
  const stood = measureRunningTime();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  expect(stood()).toBeLessThan(50);
});
