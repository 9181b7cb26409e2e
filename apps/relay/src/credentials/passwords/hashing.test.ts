import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHashing } from './hashing.ts';

const password = 'correct horse battery';
const told: string[] = [];
const log = { info: (_fields: object, message: string) => void told.push(message) };
const threads: Worker[] = [];
const noteThread = (worker: Worker) => void threads.push(worker);

beforeEach(() => {
  threads.length = 0;
  told.length = 0;
  process.on('worker', noteThread);
});
afterEach(async () => {
  process.off('worker', noteThread);
  await Promise.all(threads.map((thread) => thread.terminate()));
});

/** The niceness of all threads of this process. */
function nicenesses(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    // The name before it may hold spaces.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}

describe('a password is hashed', () => {
  // There is none below 19.
  it.runIf(process.platform === 'linux' && getPriority() < 19)(
    'at a lower priority than the event loop has',
    async () => {
      const lower = Math.min(19, getPriority() + 10);
      const before = nicenesses().filter((niceness) => niceness === lower).length;
      await createHashing({ log, niceness: 10 }).hash(password);
      expect(getPriority()).toBeLessThan(lower);
      expect(nicenesses().filter((niceness) => niceness === lower)).toHaveLength(before + 1);
      expect(told).toEqual([]);
    },
  );

  it('in as many threads as there are passwords at once, which serve the next ones', async () => {
    const hashing = createHashing({ log, niceness: 10 });
    for (let round = 0; round < 3; round++)
      await Promise.all([hashing.hash(password), hashing.hash(password)]);
    expect(threads).toHaveLength(2);
  });
});

describe('a thread', () => {
  it('that dies fails its password, and another takes its place', async () => {
    const hashing = createHashing({ log, niceness: 10 });
    const stored = await hashing.hash(password);
    const [failure] = await Promise.all([
      hashing.verify(stored, password).catch(String),
      threads[0]?.terminate(),
    ]);
    expect(failure).toContain('its thread ended');
    expect(await hashing.verify(stored, password)).toBe(true);
    await threads[1]?.terminate();
    expect(await hashing.verify(stored, password)).toBe(true);
    expect(threads).toHaveLength(3);
  });

  it('that cannot read a hash says so, and the next password is verified', async () => {
    const hashing = createHashing({ log, niceness: 10 });
    await expect(hashing.verify('no hash', password)).rejects.toThrow('could not be hashed');
    expect(await hashing.verify(await hashing.hash(password), password)).toBe(true);
  });

  it('keeps the process alive while it has work, and not otherwise', async () => {
    /** Ports to threads for which this process waits. */
    const countPorts = () =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort').length;
    const others = countPorts();
    const hashing = createHashing({ log, niceness: 10 });
    for (let round = 0; round < 2; round++) {
      const hashed = hashing.hash(password);
      expect(countPorts()).toBe(others + 1);
      await hashed;
      expect(countPorts()).toBe(others);
    }
  });

  it('ends when it had no work for a while', async () => {
    await createHashing({ log, niceness: 10, idleMs: 1 }).hash(password);
    await expect.poll(() => threads[0]?.threadId).toBe(-1);
  });
});

it('takes what Node itself reports from a thread under --watch for no answer', async () => {
  process.env['WATCH_REPORT_DEPENDENCIES'] = '1';
  try {
    const hashing = createHashing({ log, niceness: 10 });
    expect(await hashing.verify(await hashing.hash(password), password)).toBe(true);
  } finally {
    delete process.env['WATCH_REPORT_DEPENDENCIES'];
  }
});
