import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const tuned = `(await import('./tune-collector.ts')).tuneCollector();`;

/** What the script prints in a process of its own, after code that sets the collector. */
function numberFrom(script: string, tune: string): number {
  // Code is optimized at once, not whenever a busy machine comes to it.
  const flags = ['--max-semi-space-size=16', '--no-concurrent-recompilation'];
  const args = [...flags, '--input-type=module', '--eval', tune + script];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8', cwd: import.meta.dirname }));
}

/** Prints how many full collections buffers of 100 KB bring, of which the last so many are kept, beside a heap of 40 MB. */
const fullCollections = (count: number, keptCount: number) => `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { setTimeout } from 'node:timers/promises';
  let full = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) full++;
  });
  observer.observe({ entryTypes: ['gc'] });
  globalThis.heap = Array.from({ length: 400_000 }, (_, number) => ({ number }));
  const kept = [];
  for (let made = 0; made < ${count}; made++) {
    kept[made % ${keptCount}] = Buffer.allocUnsafeSlow(100_000);
    if (made % 5 === 0) await setTimeout(1);
  }
  await setTimeout(1);
  console.log(full);`;

test('short-lived buffers are freed by collections of the young, hardly ever by full ones', () => {
  // The least of three, because a machine that is short of memory brings some more.
  const counts = [1, 2, 3].map(() => numberFrom(fullCollections(4_000, 1), tuned));
  expect(Math.min(...counts)).toBeLessThan(numberFrom(fullCollections(4_000, 1), '') / 2);
});

test('buffers that live until Redis has answered bring few full collections', () => {
  const asV8Grows = `${tuned} (await import('node:v8')).setFlagsFromString('--heap-growing-percent=0');`;
  const script = fullCollections(10_000, 100);
  expect(numberFrom(script, tuned)).toBeLessThan(numberFrom(script, asV8Grows) / 2);
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
  expect(numberFrom(oldBytes, tuned)).toBeLessThan(500_000);
  expect(numberFrom(oldBytes, '')).toBeGreaterThan(5_000_000);
});
