import type { Problem } from '@tabletop-relay/contract/types';
import { RelayError } from './relay-error.ts';

export interface RelayRequest {
  method: string;
  url: string;
  apiKey?: string | undefined;
  headers?: Record<string, string>;
  /** The `Accept` header; JSON by default. */
  accept?: string;
  /** Bytes go as they are, any other object as JSON. */
  body?: object | undefined;
  /** True if a request with an unknown outcome may be repeated; by default a GET may. */
  isRepeatable?: boolean;
  /** For the whole answer, body included. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** The address of a path at a relay, which may itself stand under a path. */
export function urlOf(relayUrl: string, path: string): string {
  return relayUrl.replace(/\/+$/, '') + path;
}

/** Reads the body of a 200; undefined where it is not the relay's. */
export type ReadBody<T extends object = object> = (
  response: Response,
) => Promise<T | undefined> | T | undefined;

/** The JSON object that a body is. */
export const readObject: ReadBody = async (response) => parseObject(await response.text());

/** One HTTP exchange: what the body of a 200 holds, or a `RelayError`. Rejects with the signal's reason when the caller aborts. */
export async function sendRequest(
  fetch: typeof globalThis.fetch,
  request: RelayRequest,
  read: ReadBody = readObject,
): Promise<object> {
  return await exchange(fetch, request, AbortSignal.timeout(request.timeoutMs), read);
}

/** Like `sendRequest`, but for an answer that stays open: the time is for its head alone. */
export async function openAnswer<T extends object>(
  fetch: typeof globalThis.fetch,
  request: RelayRequest,
  read: ReadBody<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), request.timeoutMs);
  try {
    return await exchange(fetch, request, deadline.signal, read);
  } finally {
    clearTimeout(timer);
  }
}

async function exchange<T extends object>(
  fetch: typeof globalThis.fetch,
  request: RelayRequest,
  deadline: AbortSignal,
  read: ReadBody<T>,
): Promise<T> {
  const { signal } = request;
  let response: Response;
  let answer: T | undefined;
  let problem: object | undefined;
  try {
    response = await fetch(request.url, initOf(request, deadline));
    if (response.ok) answer = await read(response);
    else problem = await readObject(response);
  } catch (cause) {
    signal?.throwIfAborted();
    throw deadline.aborted ? timedOut(request, cause) : notConnected(request, cause);
  }
  if (answer) return answer;
  throw refused(request, response, problem);
}

/** Redirects are refused: `fetch` would carry the key along to another host. */
function initOf(request: RelayRequest, deadline: AbortSignal): RequestInit {
  const { method, apiKey, headers, accept = 'application/json', body, signal } = request;
  return {
    method,
    headers: {
      accept,
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
      ...(body ? { 'content-type': contentTypeOf(body) } : {}),
      ...headers,
    },
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    ...(body ? { body: isBytes(body) ? (body as BodyInit) : JSON.stringify(body) } : {}),
  };
}

const isRepeatable = ({ method, isRepeatable = method === 'GET' }: RelayRequest): boolean => isRepeatable;

const isBytes = (body: object): body is Uint8Array | Blob =>
  body instanceof Uint8Array || body instanceof Blob;

/** The relay reads `application/json` as parameters, so a file of that type goes as plain bytes. */
function contentTypeOf(body: object): string {
  if (!isBytes(body)) return 'application/json';
  const type = body instanceof Blob ? body.type : '';
  return type === '' || type.startsWith('application/json') ? 'application/octet-stream' : type;
}

function timedOut(request: RelayRequest, cause: unknown): RelayError {
  const detail = `No answer within ${request.timeoutMs} ms.`;
  const retryable = isRepeatable(request);
  return new RelayError({ code: 'timeout', detail, outcome: 'unknown', retryable, cause });
}

const neverConnected = new Set<string | undefined>([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function notConnected(request: RelayRequest, cause: unknown): RelayError {
  const { code } = ((cause as Error).cause ?? {}) as { code?: string };
  const notSent = neverConnected.has(code);
  return new RelayError({
    code: 'connection_failed',
    detail: `The connection to ${hostOf(request.url)} failed${code ? ` (${code})` : ''}.`,
    outcome: notSent ? 'not_sent' : 'unknown',
    retryable: notSent || isRepeatable(request),
    cause,
  });
}

/** The address may be no address at all, or, on a page of the relay, a path. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'the relay';
}

function refused(request: RelayRequest, response: Response, answer: object | undefined): RelayError {
  const { status } = response;
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'));
  const problem = answer as Problem | undefined;
  if (response.ok || typeof problem?.code !== 'string' || typeof problem.detail !== 'string') {
    return new RelayError({
      code: 'bad_answer',
      status,
      detail: `Status ${status} with a body that is not the relay’s: is the address right, is a proxy between?`,
      outcome: 'unknown',
      retryable: status >= 500 && isRepeatable(request),
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
