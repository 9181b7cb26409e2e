import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, onTestFinished } from 'vitest';
import { run } from '../src/run.ts';

export interface Ran {
  code: number;
  stdout: string;
  bytes: Buffer;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** Standard input; empty where it is not given. */
  input?: string | AsyncIterable<string>;
  /** Whether a person sits before it. */
  isTerminal?: boolean;
  fetch?: typeof globalThis.fetch;
  signal?: AbortSignal;
  onOutput?: (text: string) => void;
}

/** Runs a command line in this process, as `main.ts` does in its own. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, input = '', isTerminal = false, fetch = globalThis.fetch, onOutput } = options;
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const streamOf = (name: 'stdout' | 'stderr') => {
    const stream = new PassThrough();
    stream.on('data', (chunk: Buffer) => {
      chunks[name].push(chunk);
      onOutput?.(chunk.toString());
    });
    return Object.assign(stream, { isTTY: isTerminal });
  };
  const code = await run(args, {
    env,
    stdin: Object.assign(Readable.from(input === '' ? [] : input, { objectMode: false }), {
      isTTY: isTerminal,
    }),
    stdout: streamOf('stdout'),
    stderr: streamOf('stderr'),
    fetch,
    signal: options.signal ?? new AbortController().signal,
  });
  const bytes = Buffer.concat(chunks.stdout);
  return { code, bytes, stdout: bytes.toString(), stderr: Buffer.concat(chunks.stderr).toString() };
}

/** A folder that goes with the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder that goes with the file of tests. */
export function makeFolderOfFile(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
