import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** How many full collections 1 GB of short-lived buffers brings, in a process of its own. */
function fullCollections(before: string): number {
  const script = `
    import { constants, PerformanceObserver } from 'node:perf_hooks';
    import { setImmediate } from 'node:timers/promises';
    import { collectBuffersEarly } from './collect-buffers-early.ts';
    let full = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) full++;
    });
    observer.observe({ entryTypes: ['gc'] });
    ${before}
    for (let made = 0; made < 10_000; made++) {
      Buffer.allocUnsafeSlow(100_000);
      if (made % 5 === 0) await setImmediate();
    }
    await setImmediate();
    console.log(full);`;
  const args = ['--input-type=module', '--eval', script];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8', cwd: import.meta.dirname }));
}

test('short-lived buffers are freed by collections of the young, hardly ever by full ones', () => {
  // The least of three, because a machine that is short of memory brings some more.
  const early = [1, 2, 3].map(() => fullCollections('collectBuffersEarly();'));
  expect(Math.min(...early)).toBeLessThan(fullCollections('') / 2);
});
