import http from 'node:http';
import https from 'node:https';
import { pinTo } from './address-guard.ts';
import type { AddressGuard } from './address-guard.ts';
import { OutboundError } from './outbound-error.ts';

const mostAnswerBytes = 4_096;

interface GuardedRequest {
  guard: AddressGuard;
  url: string;
  headers: Record<string, string>;
  /** For everything: name, connection, and the answer to its last byte that is read. */
  timeoutMs: number;
}

export interface GuardedPost extends GuardedRequest {
  body: string;
}

export interface GuardedGet extends GuardedRequest {
  /** So much of the answer is read. */
  maxBytes: number;
}

export interface GuardedAnswer {
  status: number;
  /** The `Retry-After` header as it came. */
  retryAfter: string | undefined;
  /** The `Content-Type` header; empty where there is none. */
  type: string;
  /** Its first bytes: 4 KB, or as many as were asked for. */
  text: string;
}

/**
 * Sends a POST to an address that a user named. The connection goes to the address that was checked. Redirects are
 * answers like any other. Plain http is for ranges that the operator named, because what is sent opens things. Throws
 * `OutboundError` when there is no answer.
 */
export async function postGuarded(post: GuardedPost): Promise<GuardedAnswer> {
  return await inTime(post, { method: 'POST', body: post.body, maxBytes: mostAnswerBytes });
}

/** As `postGuarded`, for what is read from there. */
export async function getGuarded(get: GuardedGet): Promise<GuardedAnswer> {
  return await inTime(get, { method: 'GET', body: '', maxBytes: get.maxBytes });
}

interface Sent {
  method: 'GET' | 'POST';
  body: string;
  maxBytes: number;
}

async function inTime(request: GuardedRequest, sent: Sent): Promise<GuardedAnswer> {
  const signal = AbortSignal.timeout(request.timeoutMs);
  try {
    return await send(request, sent, signal);
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    if (signal.aborted) {
      throw new OutboundError('timed_out', `no answer within ${request.timeoutMs / 1_000} s`, {
        cause: error,
      });
    }
    throw new OutboundError('unreachable', describe(error), { cause: error });
  }
}

async function send(
  { guard, url: address, headers }: GuardedRequest,
  { method, body, maxBytes }: Sent,
  signal: AbortSignal,
): Promise<GuardedAnswer> {
  const url = new URL(address);
  const checked = await guard.resolve(url.hostname, signal);
  if (url.protocol !== 'https:' && !checked.isAllowedRange) {
    throw new OutboundError(
      'https_required',
      `${checked.host} is on the internet: its address must be https`,
    );
  }
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method,
    headers: {
      ...headers,
      ...(method === 'POST' && { 'content-length': String(Buffer.byteLength(body)) }),
    },
    lookup: pinTo(checked),
    // A connection of its own: a kept one could be another account's.
    agent: false,
    signal,
  });
  // An answer that switches protocols (101) ends in `close` alone, and then the signal ends nothing any more.
  const onClose = () => reject(new Error('closed without an answer'));
  request.on('response', resolve).on('error', reject).on('close', onClose).end(body);
  const response = await promise;
  return {
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'],
    type: response.headers['content-type'] ?? '',
    text: await readStart(response, maxBytes),
  };
}

/** Leaves the rest unread: the end of the loop ends the connection. */
async function readStart(response: http.IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
}

/** The codes of Node say what happened; its messages would tell addresses too. */
function describe(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code ? `no connection (${code})` : 'no connection';
}
