import { findFreePort, waitFor } from '@tabletop-relay/testing';
import { sessionCaller } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRelayProcess } from '../../relay/test/process.ts';
import { openDoor, servePage } from './door.ts';
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

/** The account's newest session. */
async function newest(): Promise<Record<string, unknown>> {
  const { body } = await rig.account.as('GET', '/auth/headless-sessions');
  return (body['items'] as Record<string, unknown>[])[0] ?? {};
}

it('a start at a page that is no tabletop fails at its first stage, and keeps what the page wrote to its console', async () => {
  const script = '<script>console.warn("Only Edam is left"); console.debug("of no interest")</script>';
  const tabletopUrl = await servePage((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<title>A shop</title><body>Buy cheese here${script}`);
  });
  const { body } = await rig.sessions.logIn({
    ...tabletop.login,
    tabletopUrl,
    captureBrowserConsole: 'warn',
  });
  expect(body).toMatchObject({ stage: 'open', detail: expect.stringMatching(/A shop.*Buy cheese here/) });
  const { body: written } = await rig.account.as(
    'GET',
    `/auth/headless-sessions/${String(body['sessionId'])}/console`,
  );
  expect(written['lines']).toContainEqual(
    expect.objectContaining({ level: 'warn', text: 'Only Edam is left' }),
  );
  expect(JSON.stringify(written)).not.toContain('of no interest');
});

it('a start at a page that never loads fails in time', async () => {
  const tabletopUrl = await servePage(() => {});
  const { body } = await rig.sessions.logIn({ ...tabletop.login, tabletopUrl });
  expect(body).toMatchObject({ stage: 'open', detail: expect.stringMatching(/did not load in 4 s/) });
  expect(await newest()).toMatchObject({ state: 'failed', stage: 'open' });
});

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
  await waitFor(() => Promise.resolve(door.wasAsked()), { timeoutMs: 20_000 });
  await relay.end('SIGKILL');
  expect(await cut).toBe('cut');
  expect(await rig.sessions.list()).toMatchObject([{ state: 'starting', tabletopUrl: door.url }]);
  door.open();

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
