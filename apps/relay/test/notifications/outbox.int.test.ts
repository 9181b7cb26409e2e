import { startWebhookReceiver, waitFor } from '@tabletop-relay/testing';
import { connectModule, createAccount, eventsTold } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { startTestWorker } from './test-worker.ts';

let cluster: TestInstances;
let url: string;
beforeAll(async () => {
  cluster = await startInstances({ count: 2, config: { outboundAllow: ['127.0.0.1'] } });
  url = cluster.instances[0].url;
});
afterAll(() => cluster.stop());

it('what happens to a world, and to its account, is in the outbox with its record', async () => {
  const account = await createAccount(url);
  const pairing = await account.pair();
  const module = await connectModule(url, pairing);
  const second = connectModule(cluster.instances[1]?.url ?? '', pairing);
  await expect(second).rejects.toThrow('the socket closed');
  await module.close();
  const told = ['client.paired', 'connected', 'duplicate', 'disconnected'];
  // The two instances write their records apart.
  const found = async () => {
    const events = await eventsTold(cluster.db, account.accountId);
    return { count: events.length, events: new Set(events) };
  };
  await expect.poll(found).toEqual({ count: told.length, events: new Set(told) });
  const logs = await cluster.db
    .selectFrom('connectionLogs')
    .select('outcome')
    .where('accountId', '=', account.accountId)
    .orderBy('id')
    .execute();
  expect(logs.map(({ outcome }) => outcome)).toEqual(told.slice(1));
});

it('what did not happen is not told: the notice goes with the transaction of its record', async () => {
  const account = await createAccount(url);
  const wrong = { currentPassword: 'not the password', newPassword: 'correct horse battery staple' };
  expect((await account.as('POST', '/auth/change-password', wrong)).status).toBe(401);
  expect(await eventsTold(cluster.db, account.accountId)).toEqual([]);
  const right = { ...wrong, currentPassword: account.password };
  expect((await account.as('POST', '/auth/change-password', right)).status).toBe(200);
  expect(await eventsTold(cluster.db, account.accountId)).toEqual(['password.changed']);
  await account.as('DELETE', '/auth/account', { password: right.newPassword });
  expect(await eventsTold(cluster.db, account.accountId)).toEqual([]);
});

it('of the keys that pages make for themselves nobody is told, and of one that then lasts its owner is', async () => {
  const account = await createAccount(url);
  const one = (await account.pair()).clientId;
  const two = (await account.pair()).clientId;
  const make = async (terms: object) => {
    const body = { name: 'Live events: Chapel', scopes: ['events:subscribe'], ...terms };
    return (await account.as('POST', '/auth/api-keys', body)).body['id'] as string;
  };
  const change = (id: string, terms: object) => account.as('PATCH', `/auth/api-keys/${id}`, terms);
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const later = new Date(Date.now() + 4_000_000).toISOString();
  const keysTold = async () =>
    (await eventsTold(cluster.db, account.accountId))
      .map(String)
      .filter((event) => event.startsWith('api_key'));
  const short = { clientIds: [one], expiresAt: inAnHour };
  const made = [await make(short), await make(short), await make(short)] as const;
  await change(made[0], { name: 'Still short' });
  expect(await keysTold()).toEqual([]);
  await change(made[0], { expiresAt: null });
  await change(made[1], { expiresAt: later });
  await change(made[2], { clientIds: [one, two] });
  expect(await keysTold()).toHaveLength(3);
  await make({ clientIds: [one, two], expiresAt: inAnHour });
  await make({ clientIds: [one], expiresAt: later });
  await make({ clientIds: null, expiresAt: inAnHour });
  await make({ clientIds: [one], expiresAt: null });
  expect(await keysTold()).toEqual(Array(7).fill('api_key.created'));
});

it('a world that connects is told to the webhook that its owner set, through the worker', async () => {
  const receiver = await startWebhookReceiver();
  const account = await createAccount(url);
  const events = {
    connect: true,
    disconnect: true,
    metadataMismatch: true,
    duplicateRejected: true,
    security: false,
  };
  const settings = {
    events,
    webhooks: [{ kind: 'discord', url: receiver.url }],
    email: { enabled: false },
    batchSeconds: 10,
  };
  expect((await account.as('PUT', '/auth/notification-settings', settings)).status).toBe(200);
  await cluster.db.updateTable('notificationSettings').set({ batchSeconds: 0 }).execute();
  const worker = await startTestWorker(cluster);
  const metadata = { worldId: 'barovia', worldTitle: 'Curse of Strahd', systemId: 'dnd5e' };
  const module = await connectModule(url, await account.pair(metadata), undefined, { metadata });
  await waitFor(() => receiver.received.length > 0);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    content: expect.stringContaining('Curse of Strahd') as string,
    allowed_mentions: { parse: [] },
  });
  await module.close();
  await worker.stop();
  await receiver.stop();
});
