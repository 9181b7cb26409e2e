#!/usr/bin/env node
import { run } from './run.ts';
import type { Io } from './terminal/io.ts';

const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // A second one ends the program as it would have ended without us.
  process.once(signal, () => ended.abort(new Error(signal)));
}
// Who reads us may stop early, as `head` does.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));

const io: Io = {
  env: process.env,
  // Node makes them when they are asked for, which takes longer than most of a command.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  get stderr() {
    return process.stderr;
  },
  fetch: globalThis.fetch,
  signal: ended.signal,
};
process.exitCode = await run(process.argv.slice(2), io);
