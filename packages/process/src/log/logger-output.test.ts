import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';

/** A program that logs more than the pipe holds, reports its memory, and then obeys commands. */
const script = `
  import { createLogger } from ${JSON.stringify(new URL('./logger.ts', import.meta.url).href)};
  const log = createLogger({ level: 'info', name: 'child', maxWaitingBytes: 1_000_000 });
  // Opening process.stdout makes the pipe non-blocking, as in our processes.
  process.stdout.on('error', () => {});
  process.on('message', (message) => {
    if (message === 'again') writeLines().then(() => process.send('written'));
    if (message === 'go on') log.info('after the reader came');
    if (message === 'exit') process.exit(0);
    if (message !== 'fatal') return;
    log.fatal('the last words');
    process.send({ wentOn: true });
  });
  const lines = 100_000;
  const before = process.memoryUsage().rss;
  async function writeLines() {
    for (let line = 0; line < lines; line++) {
      log.info({ line, filler: 'x'.repeat(200) }, 'a line');
      if (line % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  await writeLines();
  process.send({ grownBytes: process.memoryUsage().rss - before, lines });`;

let child: ChildProcess;
afterEach(() => {
  child.kill('SIGKILL');
});

async function startUnread(): Promise<{ grownBytes: number; lines: number }> {
  child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [report] = (await once(child, 'message')) as [{ grownBytes: number; lines: number }];
  return report;
}

type Line = Record<string, unknown>;

/** Reads the output until its lines are enough. */
async function readUntil(areEnough: (lines: Line[]) => boolean): Promise<Line[]> {
  let output = '';
  const read = (chunk: Buffer) => (output += String(chunk));
  const parse = () =>
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  child.stdout?.on('data', read).resume();
  await expect.poll(() => output.endsWith('\n') && areEnough(parse()), { timeout: 15_000 }).toBe(true);
  child.stdout?.off('data', read).pause();
  return parse();
}

const wereDropped = (lines: Line[]): boolean => lines.some(({ dropped }) => dropped !== undefined);

/** Lines that came, and lines that the log says it dropped. */
const countLines = (lines: Line[]): number =>
  lines.reduce((sum, { msg, dropped }) => sum + Number(msg === 'a line') + Number(dropped ?? 0), 0);

describe('a log that nobody reads', () => {
  test('takes a bounded part of memory, and tells later how many lines it dropped', async () => {
    const { grownBytes, lines } = await startUnread();
    // All lines together would be 150 MB.
    expect(grownBytes).toBeLessThan(60_000_000);
    // A pipe that took some lines meanwhile lets the log tell more than once of those that it dropped.
    const read = await readUntil((seen) => countLines(seen) === lines);
    expect(read.find(({ dropped }) => dropped !== undefined)).toMatchObject({
      level: 40,
      name: 'child',
      msg: expect.stringMatching(/nobody read/) as unknown,
    });
    child.send('go on');
    const isBack = ({ msg }: Line) => msg === 'after the reader came';
    expect(await readUntil((seen) => seen.some(isBack))).toHaveLength(1);
  });

  test('tells of lines that were dropped soon after it told of others', async () => {
    await startUnread();
    await readUntil(wereDropped);
    child.send('again');
    await once(child, 'message');
    expect(wereDropped(await readUntil(wereDropped))).toBe(true);
  });

  test('keeps neither a fatal line nor the end of the process waiting for ever', async () => {
    await startUnread();
    child.send('fatal');
    expect(await once(child, 'message')).toContainEqual({ wentOn: true });
    child.send('exit');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
