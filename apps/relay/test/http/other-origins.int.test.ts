import { operations } from '@tabletop-relay/contract';
import type { FakeModule } from '@tabletop-relay/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectModule, createAccount } from '../account.ts';
import type { Pairing, TestAccount } from '../account.ts';
import { createBystander } from '../bystander.ts';
import type { Bystander } from '../bystander.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { send } from '../problem.ts';

const maxBodyBytes = 20_000;

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let pairing: Pairing;
let module: FakeModule;
let bystander: Bystander;

beforeAll(async () => {
  cluster = await startInstances({ config: { maxBodyBytes } });
  url = cluster.instances[0].url;
  account = await createAccount(url);
  pairing = await account.pair();
  module = await connectModule(url, pairing, () => ({ data: {} }));
  bystander = await createBystander(url);
});
afterAll(async () => {
  await bystander.close();
  await module.close();
  await cluster.stop();
});
beforeEach(() => bystander.begin());
afterEach(() => bystander.expectUnharmed());

describe('a page of another origin', () => {
  const preflight = (path: string, method: string) =>
    send('OPTIONS', url + path, {
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
    ['/openapi.json', 'GET'],
  ];

  it.each(open)('may call %s', async (path, method) => {
    const answer = await preflight(path, method);
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(String(answer.headers['access-control-allow-methods'])).toContain(method);
    expect(String(answer.headers['access-control-allow-headers'])).toContain('x-api-key');
    const refused = await send(method, url + path, { headers: { origin: 'https://table.example' } });
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect(String(refused.headers['access-control-expose-headers'])).toContain('x-request-id');
  });

  it.each([
    ['/auth/login', 'POST'],
    ['/auth/register', 'POST'],
    ['/auth/account', 'GET'],
    ['/auth/api-keys', 'POST'],
    ['/auth/pairing-codes', 'POST'],
    ['/admin/accounts', 'GET'],
  ])('may not call %s', async (path, method) => {
    const answer = await preflight(path, method);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    const called = await send(method, url + path, { headers: { origin: 'https://table.example' } });
    expect(called.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
