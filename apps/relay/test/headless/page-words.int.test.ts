import { headlessSession } from '@tabletop-relay/testing';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import { expect, it, onTestFinished } from 'vitest';
import { startInstances } from '../instances.ts';

it('a page whose words are no texts is listed without them', async () => {
  const cluster = await startInstances();
  onTestFinished(() => cluster.stop());
  const [{ url }] = cluster.instances;
  const account = await createAccount(url);
  await cluster.db
    .insertInto('headlessSessions')
    .values({
      ...headlessSession('no-texts'),
      accountId: account.accountId,
      seenAt: new Date(),
      state: 'active',
      world: JSON.stringify({ worldId: 5, worldTitle: { a: 1 }, systemId: null, systemTitle: ['x'] }),
    })
    .execute();
  await cluster.db.insertInto('headlessViews').values({ sessionId: 'no-texts' }).execute();
  const none = { worldTitle: '' };
  const listed = await account.as('GET', '/auth/headless-sessions');
  expect(listed).toMatchObject({ status: 200, body: { items: [none] } });
  const headers = { 'x-api-key': account.masterKey };
  expect(await call(url, 'GET', '/session', { headers })).toMatchObject({
    status: 200,
    body: { activeSessions: [{ ...none, worldId: '', systemId: '', systemTitle: '' }] },
  });
});
