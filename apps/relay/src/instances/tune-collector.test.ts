import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** What the script prints in a process of its own, in which `isTuned` says whether the collector was set. */
function numberFrom(script: string, isTuned: boolean): number {
  const tune = isTuned ? `(await import('./tune-collector.ts')).tuneCollector();` : '';
  // Code is optimized at once, not whenever a busy machine comes to it.
  const flags = ['--max-semi-space-size=16', '--no-concurrent-recompilation'];
  const args = [...flags, '--input-type=module', '--eval', tune + script];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8', cwd: import.meta.dirname }));
}

/** Prints how many full collections 1 GB of short-lived buffers brings. */
const fullCollections = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { setImmediate } from 'node:timers/promises';
  let full = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) full++;
  });
  observer.observe({ entryTypes: ['gc'] });
  for (let made = 0; made < 10_000; made++) {
    Buffer.allocUnsafeSlow(100_000);
    if (made % 5 === 0) await setImmediate();
  }
  await setImmediate();
  console.log(full);`;

test('short-lived buffers are freed by collections of the young, hardly ever by full ones', () => {
  // The least of three, because a machine that is short of memory brings some more.
  const tuned = [1, 2, 3].map(() => numberFrom(fullCollections, true));
  expect(Math.min(...tuned)).toBeLessThan(numberFrom(fullCollections, false) / 2);
});

/** Prints how many bytes of 100,000 short-lived objects become old, where the first ones from the same code were kept. */
const oldBytes = `
  import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
  // The code is optimized after V8 has seen which of its objects live long.
  for (const flag of ['--no-maglev', '--no-turbofan']) setFlagsFromString(flag);
  const kept = [];
  let last;
  function make(count, isKept) {
    for (let made = 0; made < count; made++) {
      last = { number: made, more: { number: made } };
      if (isKept) kept.push(last);
    }
  }
  const old = () => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size;
  make(300_000, true);
  for (const flag of ['--maglev', '--turbofan']) setFlagsFromString(flag);
  // What was young when the last one was kept grows old first.
  make(1_000_000, false);
  // The most of three, because a full collection may fall into one.
  const grown = [1, 2, 3].map(() => {
    const before = old();
    make(100_000, false);
    return old() - before;
  });
  console.log(Math.max(...grown));`;

test('objects die young, also where the first ones from the same code lived long', () => {
  expect(numberFrom(oldBytes, true)).toBeLessThan(500_000);
  expect(numberFrom(oldBytes, false)).toBeGreaterThan(5_000_000);
});
