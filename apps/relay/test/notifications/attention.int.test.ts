import type { Attention, NewApiKey } from '@tabletop-relay/contract';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
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

const readAttention = async (owner = account) =>
  (await owner.as('GET', '/auth/attention')).body['items'] as Attention[];

const makeKey = async (more: object) => {
  const made = await account.as('POST', '/auth/api-keys', { name: 'Bot', scopes: ['clients:read'], ...more });
  return made.body as unknown as NewApiKey;
};

const withKey = (apiKey: string, path = '/players') =>
  call(url, 'GET', path, { headers: { 'x-api-key': apiKey } });

it('nothing needs attention where all is well', async () => {
  await makeKey({ monthlyLimit: 2 });
  expect(await readAttention()).toEqual([]);
});

it('a key at its limit is told until its limit is raised', async () => {
  const { id, apiKey } = await makeKey({ name: 'Greedy', monthlyLimit: 1 });
  expect((await withKey(apiKey, '/clients')).status).toBe(200);
  await expect
    .poll(() => readAttention())
    .toEqual([
      {
        kind: 'keyLimit',
        subjectId: id,
        since: null,
        sentence: 'The key “Greedy” has reached its limit of 1 a month.',
      },
    ]);
  await account.as('PATCH', `/auth/api-keys/${id}`, { monthlyLimit: 2 });
  expect(await readAttention()).toEqual([]);
});

it('an expired key is told once somebody tries it, and not after it was revoked', async () => {
  const expiresAt = new Date(Date.now() + 1_500).toISOString();
  const { id, apiKey } = await makeKey({ name: 'Stale', expiresAt });
  await expect
    .poll(async () => (await withKey(apiKey)).body['code'], { timeout: 10_000 })
    .toBe('key_expired');
  await vi.waitFor(async () => {
    const sentence = 'The key “Stale” has expired, and a program still calls with it.';
    expect(await readAttention()).toEqual([
      { kind: 'expiredKey', subjectId: id, since: expiresAt, sentence },
    ]);
  }, 10_000);
  await account.as('DELETE', `/auth/api-keys/${id}`);
  expect(await readAttention()).toEqual([]);
});

it('a webhook is told while it fails, and once it was switched off for that', async () => {
  const since = new Date();
  const id = 'failing-webhook';
  await sql`insert into webhooks (id, account_id, kind, label, sealed_url, failing_since)
    values (${id}, ${account.accountId}, 'discord', '192.0.2.1', '', ${since})`.execute(cluster.db);
  const webhook = cluster.db.updateTable('webhooks').where('id', '=', id);
  const item = { kind: 'webhook', subjectId: id, since: since.toISOString() };
  expect(await readAttention()).toEqual([
    { ...item, sentence: 'Messages to the webhook at 192.0.2.1 fail.' },
  ]);
  await webhook.set({ enabled: false, switchedOffAt: since }).execute();
  expect(await readAttention()).toEqual([
    { ...item, sentence: 'The webhook to 192.0.2.1 failed for days and was switched off.' },
  ]);
  await webhook.set({ enabled: true, switchedOffAt: null, failingSince: null }).execute();
  expect(await readAttention()).toEqual([]);
});

it('a browser that waits for its world is told, to its account alone', async () => {
  const pairing = await account.pair({ worldTitle: 'The Sunken Chapel' });
  const module = await connectModule(url, pairing);
  await connectModule(url, pairing).catch(() => undefined);
  await vi.waitFor(
    async () =>
      expect(await readAttention()).toMatchObject([
        { kind: 'browser', subjectId: pairing.clientId, sentence: expect.stringMatching(/another browser/) },
      ]),
    10_000,
  );
  expect(await readAttention(await createAccount(url))).toEqual([]);
  await module.close();
});

it('an account that must rotate is told so first', async () => {
  await cluster.db
    .updateTable('accounts')
    .set({ rotationRequired: true })
    .where('id', '=', account.accountId)
    .execute();
  const [first] = await readAttention();
  expect(first).toMatchObject({ kind: 'rotation', sentence: expect.stringMatching(/new master key/) });
});
