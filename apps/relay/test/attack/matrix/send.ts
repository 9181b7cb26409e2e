import { Readable } from 'node:stream';
import type { Pool } from 'undici';
import type { Try } from './tries.ts';

export interface TryAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends one try; rejects where the connection ended without an answer. */
export async function sendTry(pool: Pool, { method, path, headers, body }: Try): Promise<TryAnswer> {
  const sent = body?.contentType === undefined ? headers : [...headers, contentType(body.contentType)];
  const answer = await pool.request({
    method,
    path,
    headers: sent.flat(),
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
    ...(body === undefined ? {} : { body: body.isChunked ? Readable.from(inPieces(body.text)) : body.text }),
  });
  // Assistants get one answer in theirs, and its end.
  const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
  if (isStream && !path.startsWith('/mcp')) {
    // A stream does not end by itself.
    answer.body.on('error', () => {}).destroy();
    return { status: answer.statusCode, headers: answer.headers, text: '' };
  }
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

const contentType = (value: string): [string, string] => ['content-type', value];

async function* inPieces(text: string | Buffer): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  const half = Math.ceil(bytes.length / 2);
  yield bytes.subarray(0, half);
  yield await Promise.resolve(bytes.subarray(half));
}
