import { operations } from '@tabletop-relay/contract';
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
