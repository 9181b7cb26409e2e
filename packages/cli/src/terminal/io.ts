import type { Readable, Writable } from 'node:stream';

/** What a command reads and writes: a process's own, or a test's. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean };
  fetch: typeof globalThis.fetch;
  /** Ends the command: the person pressed Ctrl-C, or the system ends the process. */
  signal: AbortSignal;
}

/** Writes and waits until there is room: a slow reader slows us, and not our memory. */
export async function write(stream: Writable, chunk: string | Uint8Array): Promise<void> {
  if (stream.write(chunk) || stream.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.once('drain', done).once('close', done);
  });
}

/** Tells the person something that is no result. */
export const note = (io: Pick<Io, 'stderr'>, text: string): Promise<void> =>
  write(io.stderr, `${withoutControls(text)}\n`);

/** A text of a world must not move the cursor, nor set the title of the window. */
export const withoutControls = (text: string): string =>
  text.replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '�');

const mostInputBytes = 64 * 1024 * 1024;

/** All of standard input. */
export async function readInput({ stdin }: Pick<Io, 'stdin'>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    bytes += part.length;
    if (bytes > mostInputBytes) throw new Error('standard input has more than 64 MiB');
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}
