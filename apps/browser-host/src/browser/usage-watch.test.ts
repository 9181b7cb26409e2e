import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { readUsage } from './process-usage.ts';
import type { Usage } from './process-usage.ts';
import { createUsageWatch, mostThreads } from './usage-watch.ts';

const mib = 1_048_576;

it('memory and threads of a browser are those of all its processes, and of no other', () => {
  const proc = mkdtempSync(path.join(os.tmpdir(), 'relay-proc-'));
  onTestFinished(() => rmSync(proc, { recursive: true }));
  const write = (pid: number, leader: number, anonKb: number, sharedKb: number) => {
    mkdirSync(`${proc}/${pid}`);
    writeFileSync(`${proc}/${pid}/stat`, `${pid} (a ) 1 2 3 4) S 1 ${pid} ${leader} 0 -1`);
    const status = `Name:\tx\nVmRSS:\t  999999 kB\nRssAnon:\t   ${anonKb} kB\nRssFile:\t 5000 kB\nRssShmem:\t   ${sharedKb} kB\nThreads:\t7\n`;
    writeFileSync(`${proc}/${pid}/status`, status);
  };
  write(10, 10, 100, 20);
  write(11, 10, 30, 0);
  write(12, 12, 1_000, 1);
  write(13, 13, 2_000, 0);
  mkdirSync(`${proc}/self`);
  // One that ended between the list and the look.
  mkdirSync(`${proc}/14`);
  expect(readUsage(new Set([10, 12]), proc)).toEqual(
    new Map([
      [10, { bytes: 150 * 1024, threads: 14 }],
      [12, { bytes: 1_001 * 1024, threads: 7 }],
    ]),
  );
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A watch over what the test says that browsers take. */
function watchOver(usage: Map<number, Usage>) {
  const read = vi.fn<typeof readUsage>((leaders) => new Map([...usage].filter(([pid]) => leaders.has(pid))));
  const { watch } = createUsageWatch({ memoryMb: 100, read });
  const told: string[] = [];
  const leave = [...usage.keys()].map((pid) => watch(pid, (what) => void told.push(`${pid}: ${what}`)));
  return { told, leave, read };
}

it.runIf(process.platform === 'linux')(
  'a browser that takes too much is told of once, and its neighbour goes on being watched',
  () => {
    const modest = { bytes: 100 * mib, threads: mostThreads };
    const usage = new Map([
      [1, modest],
      [2, modest],
    ]);
    const { told } = watchOver(usage);
    vi.advanceTimersByTime(5_000);
    expect(told).toEqual([]);
    usage.set(1, { ...modest, bytes: 100 * mib + 1 });
    vi.advanceTimersByTime(5_000);
    expect(told).toEqual(['1: more than 100 MiB of memory']);
    usage.set(2, { ...modest, threads: mostThreads + 1 });
    vi.advanceTimersByTime(5_000);
    expect(told).toEqual([expect.any(String), `2: more than ${mostThreads} threads, most of them workers`]);
  },
);

it.runIf(process.platform === 'linux')('nothing is read while no browser is watched', () => {
  const { leave, read } = watchOver(new Map([[1, { bytes: 0, threads: 0 }]]));
  vi.advanceTimersByTime(1_000);
  expect(read).toHaveBeenCalledTimes(2);
  for (const one of leave) one();
  vi.advanceTimersByTime(5_000);
  expect(read).toHaveBeenCalledTimes(2);
});
