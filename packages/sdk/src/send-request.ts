import type { Problem } from '@tabletop-relay/contract';
import { RelayError } from './relay-error.ts';

export interface RelayRequest {
  method: 'GET' | 'POST';
  url: string;
  apiKey?: string | undefined;
  headers?: Record<string, string>;
  body?: object | undefined;
  /** For the whole answer, body included. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** The address of a path at a relay, which may itself stand under a path. */
export function endpoint(relayUrl: string, path: string): string {
  return relayUrl.replace(/\/+$/, '') + path;
}

/**
 * One HTTP exchange: the JSON object of a 200, or a `RelayError`. Rejects with the signal's reason when the caller
 * aborts. Redirects are refused: `fetch` would carry the key along to another host.
 */
export async function sendRequest(fetch: typeof globalThis.fetch, request: RelayRequest): Promise<object> {
  const { method, url, apiKey, headers, body, timeoutMs, signal } = request;
  const deadline = AbortSignal.timeout(timeoutMs);
  const init: RequestInit = {
    method,
    headers: {
      accept: 'application/json',
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    ...(body ? { body: JSON.stringify(body) } : {}),
  };
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, init);
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    throw deadline.aborted ? timedOut(request, cause) : notConnected(request, cause);
  }
  const answer = parseObject(text);
  if (response.ok && answer) return answer;
  throw refused(request, response, answer);
}

function timedOut({ method, timeoutMs }: RelayRequest, cause: unknown): RelayError {
  const detail = `No answer within ${timeoutMs} ms.`;
  return new RelayError({ code: 'timeout', detail, outcome: 'unknown', retryable: method === 'GET', cause });
}

const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

function notConnected({ method, url }: RelayRequest, cause: unknown): RelayError {
  const { code } = ((cause as Error).cause ?? {}) as { code?: string };
  const notSent = code !== undefined && neverConnected.has(code);
  return new RelayError({
    code: 'connection_failed',
    detail: `The connection to ${new URL(url).host} failed${code ? ` (${code})` : ''}.`,
    outcome: notSent ? 'not_sent' : 'unknown',
    retryable: notSent || method === 'GET',
    cause,
  });
}

function refused({ method }: RelayRequest, response: Response, answer: object | undefined): RelayError {
  const { status } = response;
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'));
  const problem = answer as Problem | undefined;
  if (response.ok || typeof problem?.code !== 'string' || typeof problem.detail !== 'string') {
    return new RelayError({
      code: 'bad_answer',
      status,
      detail: `Status ${status} with a body that is not the relay’s: is the address right, is a proxy between?`,
      outcome: 'unknown',
      retryable: status >= 500 && method === 'GET',
      retryAfterMs,
    });
  }
  const { code, detail, retryable, outcome, requestId, traceId } = problem;
  return new RelayError({
    code,
    status,
    detail,
    retryable,
    outcome,
    requestId,
    traceId,
    retryAfterMs,
    problem,
  });
}

/** Seconds or a date, as HTTP has it. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function parseObject(text: string): object | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
