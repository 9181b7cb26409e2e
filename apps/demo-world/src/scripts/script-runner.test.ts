import { describe, expect, test } from 'vitest';
import { refusal } from '../../test/look-up.ts';
import { createScriptRunner, scriptBounds } from './script-runner.ts';
import { startNodeWorker } from './start-node-worker.ts';
import type { StartWorker } from './worker-messages.ts';

let threads = 0;
let mostThreads = 0;

/** Counts threads that are there. */
const startCounted: StartWorker = (onMessage, onFailure) => {
  const worker = startNodeWorker(onMessage, onFailure);
  threads += 1;
  mostThreads = Math.max(mostThreads, threads);
  return {
    ...worker,
    async end() {
      await worker.end();
      threads -= 1;
    },
  };
};

const runScript = createScriptRunner(startCounted, { ...scriptBounds, threadMs: 800 });
const run = (script: string, args: object = {}) =>
  runScript({ script, args: JSON.stringify(args), world: '{}' });
const valueOf = async (script: string, args?: object) => (await run(script, args)).value;

describe('a script', () => {
  test.each([
    ['return 6 * 7', 42],
    ['return await Promise.resolve([1, { a: null }])', [1, { a: null }]],
    ['return args.times', 3],
    ['', null],
  ])('%s is run', async (script, result) => {
    expect(await valueOf(script, { times: 3 })).toEqual(result);
  });

  const escapes = [
    ['names of the host', 'return ["process", "require", "fetch", "setTimeout", "WebAssembly", "Buffer", "postMessage", "parentPort", "importScripts", "std", "os"].filter((name) => name in globalThis)', []],
    ['the constructor of functions', 'return globalThis.constructor.constructor("return typeof process")()', 'undefined'],
    ['the constructor of what it was given', 'return args.constructor.constructor("return typeof process")()', 'undefined'],
    ['its own prototypes', 'Object.prototype.polluted = 1; Array.prototype.toJSON = () => "x"; return {}.polluted', 1],
    ['a result with a prototype', 'return JSON.parse(\'{"__proto__": {"polluted": 1}}\')', JSON.parse('{"__proto__": {"polluted": 1}}')],
    ['an import', 'try { await import("node:fs"); return "read" } catch { return "refused" }', 'refused'],
  ] as const; // prettier-ignore

  test.each(escapes)('reaches nothing of its host by %s', async (_way, script, result) => {
    expect(await valueOf(script)).toEqual(result);
    expect({}).not.toHaveProperty('polluted');
    expect([]).not.toHaveProperty('toJSON');
  });

  test('finds nothing of an earlier one', async () => {
    await run('globalThis.left = 1; Array.prototype.left = 1');
    expect(await valueOf('return [typeof left, [].left ?? null]')).toEqual(['undefined', null]);
  });
});

describe('a script that', () => {
  test.each([
    ['runs for ever', 'while (true) {}', 'took more than'],
    ['stays in one call of a built-in function for ever', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)', 'took more than'],
    ['matches a pattern for ever', 'return /(a+)+$/.test("a".repeat(40) + "b")', 'took more than'],
    ['copies a text for ever', 'let x = "x".repeat(1e6); for (;;) x.replaceAll("x", "yy")', ''],
    ['makes a huge text', 'return "x".repeat(2 ** 30)', ''],
    ['makes a text that doubles', 'let x = "x"; for (;;) x += x', ''],
    ['takes all memory', 'const all = []; while (true) all.push(new Uint8Array(1e6))', ''],
    ['takes all memory in small pieces', 'const all = new Map(); for (let i = 0; ; i++) all.set(i, "x".repeat(1000) + i)', ''],
    ['repeats a text as long as its memory', 'return "x".repeat(4e7)', ''],
    ['asks for all memory at once', 'return new ArrayBuffer(2 ** 32 - 1).byteLength', ''],
    ['joins a huge list', 'return Array(2 ** 32 - 1).join("x")', ''],
    ['waits for ever', 'await new Promise(() => {})', 'never comes'],
    ['chains promises for ever', 'for (;;) await null', ''],
    ['calls itself for ever', 'const f = () => f() + 1; f()', ''],
    ['returns too much', 'return "x".repeat(1e6)', 'too much'],
    ['returns what is not JSON', 'return 1n', 'TypeError'],
    ['returns a function', 'return () => 1', 'not JSON'],
    ['returns what tells itself for ever', 'return { toJSON() { for (;;); } }', 'took more than'],
    ['throws', 'throw new Error("no")', 'Error: no'],
    ['throws what tells itself for ever', 'throw { toJSON() { for (;;); }, get message() { for (;;); } }', ''],
    ['throws nothing', 'throw null', ''],
    ['is no script', 'return (', 'SyntaxError'],
    ['leaves its function', '}); while (true) {} (async () => {', ''],
    ['leaves the text that it stands in', '\\"); while (true) {} (\\"', 'SyntaxError'],
  ])('%s fails in time', async (_what, script, why) => {
    const startedAt = performance.now();
    const failed = run(script);
    await expect(failed).rejects.toThrow(refusal('script_failed'));
    await expect(failed).rejects.toThrow(why);
    const { loadMs, threadMs } = scriptBounds;
    expect(performance.now() - startedAt).toBeLessThan(loadMs + threadMs + 1_000);
    expect(threads).toBe(0);
  }); // prettier-ignore
});

test('no script takes much memory of its host', async () => {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
  const bombs = [
    'for (;;) all.push(new Uint8Array(1e6))',
    'for (let i = 0; ; i++) all.push(`${i}`.repeat(1e5))',
  ];
  await Promise.allSettled(bombs.map((bomb) => run(`const all = []; ${bomb}`)));
  clearInterval(timer);
  expect(most - before).toBeLessThan(250_000_000);
});

test('scripts run and wait in bounded numbers, and an endless one keeps no place', async () => {
  mostThreads = 0;
  const scripts = Array.from({ length: 12 }, (_, index) => (index < 2 ? 'for (;;);' : `return ${index}`));
  const ends = await Promise.allSettled(scripts.map((script) => run(script)));
  const codes = ends.map((end) =>
    end.status === 'fulfilled' ? 'ran' : (end.reason as { code: string }).code,
  );
  expect(codes).toEqual([
    ...Array<string>(2).fill('script_failed'),
    ...Array<string>(8).fill('ran'),
    ...Array<string>(2).fill('too_busy'),
  ]);
  expect(mostThreads).toBe(2);
  expect(await valueOf('return 1')).toBe(1);
});

test('a thread that never loads its interpreter is ended', async () => {
  let ended = false;
  const startStuck: StartWorker = () => ({
    send: () => undefined,
    end: async () => void (ended = await Promise.resolve(true)),
  });
  const job = { script: '', args: '{}', world: '{}' };
  const failed = createScriptRunner(startStuck, { ...scriptBounds, loadMs: 10 })(job);
  await expect(failed).rejects.toThrow('did not load in time');
  expect(ended).toBe(true);
});
