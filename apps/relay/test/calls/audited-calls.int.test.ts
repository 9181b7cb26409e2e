import { createWorld, createWorldModule } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, createAccount } from '../account.ts';
import type { TestAccount } from '../account.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let clientId: string;
let module: TabletopModule;

beforeAll(async () => {
  cluster = await startInstances();
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  const pairing = await account.pair({ worldId: 'sunken-chapel', systemId: 'sys5e' });
  ({ clientId } = pairing);
  const storage = memoryStorage({ clientId, connectionToken: pairing.token, pairedRelayUrl: url });
  module = createWorldModule(createWorld({ seed: 1 }), { storage });
  await module.connect();
});
afterAll(async () => {
  module.close();
  await cluster.stop();
});

const makeMacro = (key: string) =>
  call(url, 'POST', `/create?clientId=${clientId}`, {
    headers: { 'x-api-key': key },
    body: { entityType: 'Macro', data: { name: 'Wave', command: 'return 1' } },
  });

const uses = async () => {
  const { body } = await account.as('GET', '/auth/audit-log');
  return (body['items'] as { event: string; detail: object }[]).filter(
    ({ event }) => event === 'operation.used',
  );
};

it('a change of a macro needs the scope for macros beside the one for documents', async () => {
  const { status, body } = await makeMacro(await account.createKey({ scopes: ['entity:write'] }));
  expect(status).toBe(403);
  expect(body).toMatchObject({ code: 'scope_missing', scope: 'macro:write' });
  expect(await uses()).toEqual([]);
});

it('each use of what reaches beyond the tabletop’s own rules is in the audit log', async () => {
  const key = await account.createKey({ scopes: ['entity:write', 'entity:read', 'macro:write'] });
  expect(await makeMacro(key)).toMatchObject({ status: 200 });
  await call(url, 'GET', `/get?uuid=Actor.mira&clientId=${clientId}`, { headers: { 'x-api-key': key } });
  await expect
    .poll(uses)
    .toMatchObject([{ clientId, actor: 'key', detail: { operation: 'create', scopes: ['macro:write'] } }]);
});
