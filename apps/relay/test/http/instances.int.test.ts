import { connectModule, createAccount, makeAdministrator } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
});
afterAll(() => cluster.stop());

it('an administrator sees every instance with its load; nobody else does', async () => {
  const { url } = cluster.instances[0];
  const admin = await createAccount(url);
  expect(await admin.as('GET', '/admin/instances')).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  });
  await makeAdministrator(cluster.db, admin);
  const read = async () =>
    (await admin.as('GET', '/admin/instances')).body['items'] as { instanceId: string; worlds: number }[];
  await expect
    .poll(async () => (await read()).map(({ instanceId }) => instanceId))
    .toEqual(['test-1', 'test-2']);
  const module = await connectModule(url, await admin.pair());
  // The next telling is at most five seconds away.
  await expect.poll(async () => (await read())[0]?.worlds, { timeout: 8_000 }).toBe(1);
  expect((await read())[0]).toMatchObject({ state: 'ready', streams: 0, callsPerMinute: 0 });
  await module.close();
});
