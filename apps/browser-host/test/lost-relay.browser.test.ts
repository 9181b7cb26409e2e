import { findFreePort, waitFor } from '@tabletop-relay/testing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { sessionCaller } from '../../relay/test/headless/sessions.ts';
import { startRelayProcess } from '../../relay/test/process.ts';
import { startRig } from './rig.ts';
import type { Rig, Tabletop } from './rig.ts';

let rig: Rig;
let tabletop: Tabletop;
beforeAll(async () => {
  rig = await startRig();
  tabletop = await rig.startWorld();
  await rig.startHost({ headlessStageMs: 4_000 });
});
afterAll(() => rig.stop());

/** A tabletop's door that opens when it is told to. */
async function openDoor(location: string): Promise<{ url: string; hasKnocked(): boolean; open(): void }> {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let knocks = 0;
  const server = createServer((_request, response) => {
    knocks++;
    void opened.then(() => response.writeHead(302, { location }).end());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, hasKnocked: () => knocks > 0, open };
}

it('a relay that is killed in mid-start leaves a session that fails, no token, and a free tabletop', async () => {
  const door = await openDoor(tabletop.login.tabletopUrl);
  const relay = await startRelayProcess({
    port: await findFreePort(),
    instanceId: 'killed',
    databaseUrl: rig.cluster.databaseUrl,
    redisUrl: rig.redis.url,
    env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
  });
  const login = { ...tabletop.login, tabletopUrl: door.url };
  const cut = sessionCaller(relay.url, rig.key)
    .logIn(login)
    .catch(() => 'cut');
  await waitFor(() => Promise.resolve(door.hasKnocked()), { timeoutMs: 20_000 });
  await relay.end('SIGKILL');
  expect(await cut).toBe('cut');
  expect(await rig.sessions.list()).toMatchObject([{ state: 'starting', tabletopUrl: door.url }]);
  door.open();

  const newest = async () =>
    ((await rig.account.as('GET', '/auth/headless-sessions')).body['items'] as Record<string, unknown>[])[0];
  await expect.poll(newest, { timeout: 20_000 }).toMatchObject({
    state: 'failed',
    stage: 'module',
    detail: expect.stringContaining('the instance that started the session went away'),
  });
  const { body: tokens } = await rig.account.as('GET', '/auth/connection-tokens');
  expect(tokens['items']).toEqual([]);
  const next = await rig.sessions.logIn(login);
  expect(next.body).toMatchObject({ success: true });
});
