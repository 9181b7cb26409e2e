import type { Scope } from '@tabletop-relay/contract';
import { createWorld, createWorldModule } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectAsking } from '../remote/asking-module.ts';
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
  const pairing = await account.pair({ worldId: 'sunken-chapel', systemId: 'dnd5e' });
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

const script = (scopes: Scope[], body: object) =>
  account
    .createKey({ scopes })
    .then((key) =>
      call(url, 'POST', `/create?clientId=${clientId}`, { headers: { 'x-api-key': key }, body }),
    );

it('a scene whose region runs a script is refused without the scope for scripts, however deep it lies', async () => {
  const behaviors = [{ type: 'executeScript', system: { source: 'game.togglePause()' } }];
  const scene = { entityType: 'Scene', data: { name: 'Trap', regions: [{ name: 'Pit', behaviors }] } };
  expect(await script(['entity:write'], scene)).toMatchObject({
    status: 403,
    body: { code: 'scope_missing', scope: 'script:execute' },
  });
  expect(await script(['entity:write', 'script:execute'], scene)).toMatchObject({ status: 200 });
  await expect
    .poll(uses)
    .toContainEqual(expect.objectContaining({ detail: { operation: 'create', scopes: ['script:execute'] } }));
});

it('a role cannot be raised as a number of a document', async () => {
  const key = await account.createKey({ scopes: ['entity:write'] });
  const { status, body } = await call(url, 'POST', `/increase?clientId=${clientId}`, {
    headers: { 'x-api-key': key },
    body: { uuid: 'User.ben', attribute: 'role', amount: 3 },
  });
  expect({ status, scope: body['scope'] }).toEqual({ status: 403, scope: 'user:write' });
});

it.each([
  ['/execute-js', { script: 'return 6 * 7' }, 'script:execute', 'execute-js'],
  ['/macro/Macro.toll/execute', { args: { times: 2 } }, 'macro:execute', 'macro-execute'],
] as const)('each use of %s is in the audit log', async (path, body, scope, operation) => {
  const key = await account.createKey({ scopes: [scope] });
  const answered = await call(url, 'POST', `${path}?clientId=${clientId}`, {
    headers: { 'x-api-key': key },
    body,
  });
  expect(answered).toMatchObject({ status: 200, body: { success: true } });
  await expect.poll(uses).toContainEqual(expect.objectContaining({ detail: { operation, scopes: [scope] } }));
});

it('each use by another world is in the audit log too', async () => {
  const asking = await connectAsking(account, url, {
    allowedTargetClients: [clientId],
    remoteScopes: ['script:execute'],
  });
  const answer = await asking.ask({
    targetClientId: clientId,
    action: 'execute-js',
    payload: { script: 'return 6 * 7' },
  });
  expect(answer).toMatchObject({ success: true, data: { result: 42 } });
  const remote = async () => {
    const { body } = await account.as('GET', '/auth/audit-log');
    return (body['items'] as { event: string }[]).filter(({ event }) => event === 'operation.used_by_world');
  };
  await expect.poll(remote).toMatchObject([
    {
      clientId,
      actor: 'token',
      subjectId: asking.tokenId,
      detail: {
        operation: 'execute-js',
        scopes: ['script:execute'],
        sourceClientId: asking.pairing.clientId,
      },
    },
  ]);
  await asking.module.close();
});
