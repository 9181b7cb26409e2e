import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances();
  url = cluster.instances[0].url;
  account = await createAccount(url);
});
afterAll(() => cluster.stop());

const ask = async (more: object) => {
  const body = { appName: 'Dice bot', scopes: ['clients:read'], ...more };
  const asked = await call(url, 'POST', '/auth/key-request', { body });
  return asked.body['code'] as string;
};
const poll = (code: string) => call(url, 'GET', `/auth/key-request/${code}/status`);
const approve = (code: string, body: object = {}) =>
  account.as('POST', `/auth/key-request/${code}/approve`, body);
const withKey = (key: unknown) => call(url, 'GET', '/clients', { headers: { 'x-api-key': String(key) } });

describe('a key request', () => {
  it('takes what is suggested where the approving person says nothing, and leaves it where he does', async () => {
    const { clientId } = await account.pair();
    const suggestedExpiry = new Date(Date.now() + 3_600_000).toISOString();
    const suggested = { clientIds: [clientId, clientId], suggestedExpiry, suggestedMonthlyLimit: 9 };
    const newest = async () => (await account.as('GET', '/auth/api-keys?limit=1')).body['items'];
    const taken = await ask(suggested);
    expect((await account.as('GET', `/auth/key-request/${taken}`)).body).toMatchObject({
      suggestedClientIds: [clientId],
      suggestedExpiry,
    });
    expect((await approve(taken)).status).toBe(200);
    expect((await poll(taken)).body).toMatchObject({ clientIds: [clientId] });
    expect(await newest()).toMatchObject([
      { clientIds: [clientId], monthlyLimit: 9, expiresAt: suggestedExpiry },
    ]);
    const left = await ask(suggested);
    await approve(left, { clientIds: null, monthlyLimit: null, expiresAt: null });
    expect((await poll(left)).body).toMatchObject({ clientIds: [] });
    expect(await newest()).toMatchObject([{ clientIds: null, monthlyLimit: null, expiresAt: null }]);
  });

  it('that suggests a world of somebody else gives no key until its worlds are chosen', async () => {
    const stranger = await createAccount(url);
    const code = await ask({ clientIds: [(await stranger.pair()).clientId] });
    expect(await approve(code)).toMatchObject({ status: 404, body: { code: 'client_not_found' } });
    expect((await poll(code)).body).toEqual({ status: 'pending' });
    expect((await approve(code, { clientIds: null })).status).toBe(200);
  });

  it('forgets a suggested end that has passed when it is approved', async () => {
    const code = await ask({ suggestedExpiry: new Date(Date.now() + 3_600_000).toISOString() });
    const past = new Date(Date.now() - 1);
    await cluster.db.updateTable('keyRequests').set({ suggestedExpiresAt: past }).execute();
    await approve(code);
    const { body } = await poll(code);
    expect((await withKey(body['apiKey'])).status).toBe(200);
  });

  it('takes the suggestions of a program that was written for another relay', async () => {
    const { clientId } = await account.pair();
    const asked = await call(url, 'POST', '/auth/key-request', {
      body: {
        appName: 'Case',
        appUrl: 'https://case.example',
        scopes: ['clients:read'],
        clientIds: [clientId],
        suggestedExpiry: '2927-12-31T00:00:00.000Z',
      },
    });
    expect(asked.status).toBe(200);
    expect(asked.body).toMatchObject({
      code: expect.any(String) as unknown,
      approvalUrl: expect.any(String) as unknown,
    });
  });

  it.each([
    ['a world that is no id', { clientIds: [''] }, 'clientIds.0'],
    ['more worlds than it may name', { clientIds: Array.from({ length: 51 }, String) }, 'clientIds'],
    ['an end that has passed', { suggestedExpiry: '2020-01-01T00:00:00Z' }, 'suggestedExpiry'],
    ['an end that is no time', { suggestedExpiry: 'tomorrow' }, 'suggestedExpiry'],
  ])('is refused that suggests %s', async (_what, more, field) => {
    const body = { appName: 'Dice bot', scopes: ['clients:read'], ...more };
    const refused = await call(url, 'POST', '/auth/key-request', { body });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  });

  it('that suggests nothing in so many words is as one without', async () => {
    const code = await ask({ clientIds: [], suggestedExpiry: null });
    expect((await account.as('GET', `/auth/key-request/${code}`)).body).toMatchObject({
      suggestedClientIds: [],
      suggestedExpiry: null,
    });
  });
});
