import { describe, expect, it, vi } from 'vitest';
import type { RelayRequest } from './send-request.ts';
import { openAnswer, sendRequest, urlOf } from './send-request.ts';

const request: RelayRequest = { method: 'GET', url: 'http://relay.example/clients', timeoutMs: 1_000 };
const usual = () => Response.json({ ok: true });

/** What `fetch` was given for a request. */
async function given(changed: Partial<RelayRequest>): Promise<RequestInit> {
  const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(usual()));
  await sendRequest(fetch, { ...request, ...changed });
  return fetch.mock.calls[0]?.[1] ?? {};
}

/** The failure of a request that is answered so. */
const failureOf = (response: Response, changed: Partial<RelayRequest> = {}): Promise<unknown> =>
  sendRequest(() => Promise.resolve(response), { ...request, ...changed }).catch((error: unknown) => error);

describe('a request', () => {
  it('goes without a body or a key where it has none, and follows no redirect', async () => {
    const init = await given({});
    expect(init.headers).toEqual({ accept: 'application/json' });
    expect(init).not.toHaveProperty('body');
    expect(init.redirect).toBe('error');
  });

  it('has its key, its own headers and its body as JSON', async () => {
    const body = { skill: 'prc' };
    const init = await given({
      method: 'POST',
      apiKey: 'key',
      accept: '*/*',
      headers: { 'x-client-id': 'c' },
      body,
    });
    expect(init.headers).toEqual({
      accept: '*/*',
      'x-api-key': 'key',
      'x-client-id': 'c',
      'content-type': 'application/json',
    });
    expect(init.body).toBe('{"skill":"prc"}');
  });

  it.each([
    [new Uint8Array([1, 2]), 'application/octet-stream'],
    [new Blob(['x'], { type: 'image/png' }), 'image/png'],
    [new Blob(['x']), 'application/octet-stream'],
    // The relay would read it as parameters.
    [new Blob(['{}'], { type: 'application/json' }), 'application/octet-stream'],
    [new Blob(['{}'], { type: 'application/json; charset=utf-8' }), 'application/octet-stream'],
  ])('sends bytes as they are, and a file of JSON as plain bytes', async (body, type) => {
    const init = await given({ method: 'POST', body });
    expect(init.body).toBe(body);
    expect(init.headers).toMatchObject({ 'content-type': type });
  });

  it('stands under the path of its relay', () => {
    expect(urlOf('http://relay.example', '/clients')).toBe('http://relay.example/clients');
    expect(urlOf('http://relay.example/relay//', '/clients')).toBe('http://relay.example/relay/clients');
  });
});

describe('an answer that is not the relay’s', () => {
  it.each(['[1]', 'null', '"text"', '7', '<html>', ''])('is known where a 200 says %s', async (text) => {
    expect(await failureOf(new Response(text))).toMatchObject({
      code: 'bad_answer',
      status: 200,
      outcome: 'unknown',
      retryable: false,
    });
  });

  it.each([
    [500, 'GET', true],
    [502, 'GET', true],
    [499, 'GET', false],
    [502, 'POST', false],
  ])('of status %i to a %s may be repeated: %s', async (status, method, retryable) => {
    const failure = await failureOf(new Response('down', { status }), { method });
    expect(failure).toMatchObject({ code: 'bad_answer', status, retryable });
  });

  it.each([{ code: 'overloaded' }, { detail: 'Too many.' }, { code: 1, detail: 'x' }, []])(
    'is known where a problem is %j',
    async (body) => {
      expect(await failureOf(Response.json(body, { status: 503 }))).toMatchObject({ code: 'bad_answer' });
    },
  );
});

describe('a refusal', () => {
  const problem = { code: 'overloaded', detail: 'Too many.', retryable: true, outcome: 'not_sent' };
  const refusedFor = (retryAfter: string) =>
    failureOf(Response.json(problem, { status: 503, headers: { 'retry-after': retryAfter } }));

  it('is told as the relay tells it', async () => {
    const failure = await failureOf(Response.json(problem, { status: 503 }));
    expect(failure).toMatchObject({ ...problem, status: 503, retryAfterMs: undefined });
  });

  it('says when to come back, in seconds or as a date', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T00:00:00Z') });
    expect(await refusedFor('3')).toMatchObject({ retryAfterMs: 3_000 });
    expect(await refusedFor('Thu, 01 Jan 2026 00:00:20 GMT')).toMatchObject({ retryAfterMs: 20_000 });
    expect(await refusedFor('Thu, 01 Jan 2026 00:00:20 +0000')).toMatchObject({ retryAfterMs: 20_000 });
    expect(await refusedFor('Wed, 31 Dec 2025 00:00:00 GMT')).toMatchObject({ retryAfterMs: 0 });
    expect(await refusedFor('soon')).toMatchObject({ retryAfterMs: undefined });
    vi.useRealTimers();
  });
});

describe('a connection that fails', () => {
  const failing = (code: string | undefined, method = 'POST') =>
    sendRequest(() => Promise.reject(new Error('fetch failed', { cause: code ? { code } : undefined })), {
      ...request,
      method,
    }).catch((error: unknown) => error);

  it.each(['ECONNREFUSED', 'ENOTFOUND'])(
    'by %s has sent nothing, so anything may be repeated',
    async (code) => {
      expect(await failing(code)).toMatchObject({
        code: 'connection_failed',
        outcome: 'not_sent',
        retryable: true,
        detail: `The connection to relay.example failed (${code}).`,
      });
    },
  );

  it.each([
    ['ECONNRESET', 'POST', false],
    [undefined, 'POST', false],
    [undefined, 'GET', true],
  ])('by %s may have sent a %s', async (code, method, retryable) => {
    const failure = await failing(code, method);
    const detail = `The connection to relay.example failed${code ? ` (${code})` : ''}.`;
    expect(failure).toMatchObject({ outcome: 'unknown', retryable, detail });
  });

  it('is known without an address', async () => {
    const failure = sendRequest(() => Promise.reject(new Error('no')), { ...request, url: '/clients' });
    await expect(failure).rejects.toThrow('The connection to the relay failed.');
  });
});

describe('the time for an answer', () => {
  /** Never answers, and ends when it is told to. */
  const silent: typeof globalThis.fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });

  it.each([
    ['GET', true],
    ['POST', false],
  ])('ends a %s, which may be repeated: %s', async (method, retryable) => {
    const ended = sendRequest(silent, { ...request, method, timeoutMs: 20 });
    await expect(ended).rejects.toMatchObject({
      code: 'timeout',
      outcome: 'unknown',
      retryable,
      detail: 'No answer within 20 ms.',
    });
  });

  it('is not what ends a request that its caller aborts', async () => {
    const caller = new AbortController();
    const ended = sendRequest(silent, { ...request, signal: caller.signal });
    caller.abort(new Error('the user left'));
    await expect(ended).rejects.toThrow('the user left');
  });

  it('is for the head alone where the answer stays open, and leaves no timer', async () => {
    vi.useFakeTimers();
    const signals: AbortSignal[] = [];
    const opened = await openAnswer(
      (_url, init) => {
        if (init?.signal) signals.push(init.signal);
        return Promise.resolve(usual());
      },
      request,
      (response) => response,
    );
    expect(opened.status).toBe(200);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(signals[0]?.aborted).toBe(false);
    vi.useRealTimers();
  });
});
