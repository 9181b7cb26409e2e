import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { exchangeKey, pollKeyRequest, requestKey } from './key-request.ts';

interface Seen {
  path: string;
  verifier: string | undefined;
  body: Record<string, unknown>;
}

let server: Server;
let seen: Seen[];

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Listens on loopback and gives these answers in turn, the last one for ever. */
async function listen(...answers: { status?: number; body: object }[]): Promise<string> {
  seen = [];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const verifier = request.headers['x-poll-verifier'] as string | undefined;
      seen.push({ path: request.url!, verifier, body: JSON.parse(text || '{}') as Seen['body'] });
      const { status = 200, body } = answers[seen.length - 1] ?? answers.at(-1)!;
      response.writeHead(status).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const created = {
  code: 'C0DE',
  approvalUrl: 'https://relay.example/approve/C0DE',
  expiresIn: 600,
  expiresAt: 'x',
};
const pending = { body: { status: 'pending' } };
const users = { actingUserIds: { world: 'cleo' }, actingUserId: 'cleo' };
const grant = { apiKey: 'trk_new', scopes: ['roll:execute'], clientIds: ['world'], ...users };
const wish = { appName: 'Dice bot', scopes: ['roll:execute'] } as const;

test('a request brings the challenge of a verifier that stays here', async () => {
  const url = await listen({ body: created });
  const request = await requestKey({ url, ...wish, suggestedMonthlyLimit: 1000 });
  const challenge = createHash('sha256').update(request.verifier!).digest('base64url');
  expect(seen[0]).toMatchObject({
    path: '/auth/key-request',
    body: { ...wish, suggestedMonthlyLimit: 1000, pollChallenge: challenge },
  });
  expect(JSON.stringify(seen)).not.toContain(request.verifier);
  expect(request).toMatchObject(created);
});

test('a page without TLS, which cannot hash, asks and polls without a verifier', async () => {
  vi.stubGlobal('crypto', { getRandomValues: () => {} });
  const url = await listen({ body: created }, { body: { status: 'approved', ...grant } });
  const request = await requestKey({ url, ...wish });
  vi.unstubAllGlobals();
  expect(request.verifier).toBeUndefined();
  expect(seen[0]?.body).not.toHaveProperty('pollChallenge');
  expect(await pollKeyRequest({ url, code: 'C0DE', intervalMs: 1 })).toEqual(grant);
  expect(seen[1]).toMatchObject({ verifier: undefined });
});

test('two requests have two verifiers', async () => {
  const url = await listen({ body: created });
  const [first, second] = [await requestKey({ url, ...wish }), await requestKey({ url, ...wish })];
  expect(first.verifier).not.toBe(second.verifier);
});

test('a poll goes on while the request is pending and collects the key', async () => {
  const url = await listen(pending, pending, { body: { status: 'approved', ...grant } });
  const key = await pollKeyRequest({ url, code: 'C0DE', verifier: 'secret', intervalMs: 1 });
  expect(key).toEqual(grant);
  expect(seen.map(({ path, verifier }) => [path, verifier])).toEqual(
    Array.from({ length: 3 }, () => ['/auth/key-request/C0DE/status', 'secret']),
  );
});

test('a poll goes on through temporary trouble', async () => {
  const problem = { code: 'unavailable', detail: 'Redis is away.', retryable: true };
  const url = await listen({ status: 503, body: problem }, { body: { status: 'approved', ...grant } });
  expect(await pollKeyRequest({ url, code: 'C0DE', intervalMs: 1 })).toEqual(grant);
});

test('a poll ends at what will not mend', async () => {
  const url = await listen({
    status: 404,
    body: { code: 'not_found', detail: 'No such code.', retryable: false },
  });
  await expect(pollKeyRequest({ url, code: 'C0DE', intervalMs: 1 })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(seen).toHaveLength(1);
});

test.each(['denied', 'expired', 'exchanged'])('a request that was %s rejects', async (status) => {
  const url = await listen(pending, { body: { status } });
  const poll = pollKeyRequest({ url, code: 'C0DE', intervalMs: 1 });
  await expect(poll).rejects.toMatchObject({ name: 'RelayError', code: `key_request_${status}` });
});

test('an approval that keeps its key back rejects', async () => {
  const url = await listen({ body: { status: 'approved' } });
  const poll = pollKeyRequest({ url, code: 'C0DE', verifier: 'wrong', intervalMs: 1 });
  await expect(poll).rejects.toMatchObject({ code: 'forbidden' });
});

test('a poll ends when the caller aborts', async () => {
  const url = await listen(pending);
  const controller = new AbortController();
  const poll = pollKeyRequest({ url, code: 'C0DE', intervalMs: 600_000, signal: controller.signal });
  await expect.poll(() => seen.length).toBe(1);
  controller.abort(new Error('enough'));
  await expect(poll).rejects.toThrow('enough');
});

test('an exchange code becomes a key', async () => {
  const url = await listen({ body: grant });
  expect(await exchangeKey({ url, code: 'X', verifier: 'secret' })).toEqual(grant);
  expect(seen[0]).toEqual({
    path: '/auth/key-request/exchange',
    verifier: 'secret',
    body: { code: 'X' },
  });
});
