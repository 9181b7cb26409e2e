import os from 'node:os';
import { expect, test } from 'vitest';
import { shareOfOthers, warnOfOthers } from './machine.ts';

test('a busy machine is told of, a quiet one is not', () => {
  expect(warnOfOthers(0.05, 'before the start')).toEqual([]);
  expect(warnOfOthers(0.62, 'before the start')).toEqual([
    expect.stringContaining('busy with other work before the start: 62 %'),
  ]);
});

test('work on a processor shows in the share', async () => {
  const looked = shareOfOthers();
  const end = performance.now() + 900;
  while (performance.now() < end);
  expect(await looked).toBeGreaterThan(0.5 / os.availableParallelism());
});
