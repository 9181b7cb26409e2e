import { channels, endpoints, headerAliases, operations } from '@tabletop-relay/contract';
import type { Endpoint } from '@tabletop-relay/contract';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { send } from '../problem.ts';
import { startRelayWithWorld } from '../relay-with-world.ts';

const relay = startRelayWithWorld();

describe('a page of another origin', () => {
  const preflight = (path: string, method: string) =>
    send('OPTIONS', relay.url + path, {
      headers: {
        origin: 'https://table.example',
        'access-control-request-method': method,
        'access-control-request-headers': 'content-type,x-api-key',
      },
    });
  const open: [string, string][] = [
    ...operations.map(({ path, method }): [string, string] => [path, method]),
    ['/clients', 'GET'],
    ['/api/health', 'GET'],
    ['/api/status', 'GET'],
    ['/livez', 'GET'],
    ['/readyz', 'GET'],
    ['/api/clients/x/active', 'GET'],
    ['/auth/pair', 'POST'],
    ['/auth/key-request', 'POST'],
    ['/auth/key-request/x/status', 'GET'],
    ['/auth/key-request/exchange', 'POST'],
    ['/auth/pair-request', 'POST'],
    ['/auth/pair-request/x/status', 'GET'],
    // No address: an old module reads our words instead of a network error.
    ['/api/nothing', 'POST'],
    ['/dnd5e/nothing', 'GET'],
    ['/openapi.json', 'GET'],
    ['/api/docs', 'GET'],
    ['/session-handshake', 'POST'],
  ];

  it.each(open)('may call %s', async (path, method) => {
    const answer = await preflight(path, method);
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(String(answer.headers['access-control-allow-methods'])).toContain(method);
    // A stream that is continued brings the last of these, and a page that traces its calls the others.
    for (const header of ['x-api-key', 'traceparent', 'tracestate', 'last-event-id'])
      expect(String(answer.headers['access-control-allow-headers'])).toContain(header);
    const refused = await send(method, relay.url + path, { headers: { origin: 'https://table.example' } });
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect(String(refused.headers['access-control-expose-headers'])).toContain('x-request-id');
  });

  /** Of the browser itself, of a proxy, of a session (which no other origin has), or of what needs no leave. */
  const notAsked = [
    'accept', 'accept-encoding', 'authorization', 'connection', 'content-encoding', 'content-length', 'cookie', 'host', 'if-none-match', 'origin',
    'access-control-request-method', 'sec-fetch-dest', 'sec-fetch-site', 'transfer-encoding', 'upgrade', 'user-agent', 'retry-after', 'x-forwarded-for',
  ]; // prettier-ignore

  it('may send every header that a route open to it declares, and every one that our code reads', async () => {
    const answer = await preflight('/session-handshake', 'POST');
    const allowed = String(answer.headers['access-control-allow-headers']).split(', ');
    const open = Object.values<Endpoint>(endpoints).filter(({ origin }) => origin === 'any');
    const declared = open.flatMap(({ headers }) => Object.keys(headers?.['properties'] ?? {}));
    expect(declared).toEqual(expect.arrayContaining(['x-tabletop-url', 'x-username', 'x-world-name']));
    const aliases = headerAliases.map(([theirs]) => theirs);
    expect(allowed).toEqual(expect.arrayContaining([...declared, ...aliases, 'content-type']));
    const folder = path.join(import.meta.dirname, '../../src');
    const read = globSync('{calls,headless,http,keys,streams,tracing}/**/*.ts', { cwd: folder })
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => [
        ...readFileSync(path.join(folder, file), 'utf8').matchAll(/headers\??\.?\['([a-z-]+)'\]/g),
      ])
      .map(([, name = '']) => name);
    expect(read).toContain('x-api-key');
    expect(read.filter((name) => ![...allowed, ...notAsked].includes(name))).toEqual([]);
  });

  it.each(Object.values(channels).map((channel) => channel.path))(
    'may continue the stream %s',
    async (at) => {
      const answer = await preflight(at, 'GET');
      const allowed = String(answer.headers['access-control-allow-headers']).split(', ');
      expect(allowed).toEqual(expect.arrayContaining(['last-event-id', 'x-client-id', 'x-api-key']));
    },
  );

  it('may read every header that an answer has for programs', async () => {
    const { headers } = await send('GET', `${relay.url}/players`, {});
    const shown = String(headers['access-control-expose-headers']).split(', ');
    expect(shown).toEqual(
      expect.arrayContaining([
        'content-disposition', 'ratelimit-remaining', 'retry-after', 'traceparent', 'x-ignored-parameters',
        'x-caller-request-id', 'x-image-height', 'x-image-width', 'x-request-id',
      ]),
    ); // prettier-ignore
  });

  it.each([
    ['a method that the address does not take', () => send('PUT', `${relay.url}/auth/pair`, {}), 405],
    ['an address that cannot be read', () => send('GET', `${relay.url}/%zz`, {}), 400],
    [
      'a host that is not ours',
      () => send('GET', `${relay.url}/nothing`, { headers: { host: 'evil.example' } }),
      403,
    ],
  ])('reads why it was refused before a route: %s', async (_what, refused, status) => {
    const answer = await refused();
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*' });
  });

  it.each([
    ['/auth/login', 'POST'],
    ['/auth/register', 'POST'],
    ['/auth/account', 'GET'],
    ['/auth/api-keys', 'POST'],
    ['/auth/pairing-codes', 'POST'],
    ['/admin/accounts', 'GET'],
    ['/auth/pair-request/x', 'GET'],
    ['/auth/pair-request/x/approve', 'POST'],
  ])('may not call %s', async (path, method) => {
    const answer = await preflight(path, method);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    const called = await send(method, relay.url + path, { headers: { origin: 'https://table.example' } });
    expect(called.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
