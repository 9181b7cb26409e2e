import { findChromium } from '@tabletop-relay/chromium';
import { startDemoWorld } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import { createTestDatabase, findFreePort, startRedis } from '@tabletop-relay/testing';
import { call, createAccount, sessionCaller } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startRelayProcess } from '../../relay/test/process.ts';
import { startBeside } from '../../relay/test/versions/beside-processes.ts';
import { unpackReleaseBefore } from '../../relay/test/versions/release-before.ts';

const release = unpackReleaseBefore();
const apps = { before: release.app, here: undefined } as const;
const password = 'a demo password';

beforeAll(async () => {});
afterAll(async () => {
  release.remove();
});

it.skipIf(!release.runsBeside).each([
  ['before', 'here'],
  ['here', 'before'],
] as const)(
  'a session that a relay of the release %s starts runs at a browser host of %s, goes on at one of the other, and is ended by a relay of the other',
  async (relays, hosts) => {
    const [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
    onTestFinished(async () => {
      await Promise.all([redis.stop(), database.drop()]);
    });
    const stores = { databaseUrl: database.url, redisUrl: redis.url };
    const startRelay = async (version: keyof typeof apps) => {
      const app = apps[version];
      const relay = await startRelayProcess({
        port: await findFreePort(),
        ...stores,
        instanceId: version,
        env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
        ...(app && { app }),
      });
      onTestFinished(async () => void (await relay.end('SIGKILL')));
      return relay;
    };
    const relay = await startRelay(relays);
    // The release before is packed without the way to the one from npm.
    const { command, env } = await findChromium();
    const chromium = { ...env, CHROMIUM_PATH: command } as Record<string, string>;
    const startHost = (version: keyof typeof apps) =>
      startBeside('browser-host', { ...stores, app: apps[version], env: chromium });
    const first = startHost(hosts);
    const world = await startDemoWorld({
      relayUrl: relay.url,
      storage: memoryStorage(),
      passwords: { Ada: password },
    });
    onTestFinished(world.close);

    const key = await (await createAccount(relay.url)).createKey();
    const sessions = sessionCaller(relay.url, key);
    const tabletopUrl = new URL('login', world.url).href;
    const started = await sessions.logIn({ tabletopUrl, username: 'Ada', password });
    expect(started.body).toMatchObject({ success: true });
    const { sessionId, clientId } = started.body as { sessionId: string; clientId: string };
    const path = `/sys5e/skill-check?clientId=${clientId}`;
    const body = { actorUuid: 'Actor.mira', skill: 'prc' };
    const callWorld = async (url: string) =>
      (await call(url, 'POST', path, { headers: { 'x-api-key': key }, body })).status;
    expect(await callWorld(relay.url)).toBe(200);
    expect(await sessions.list()).toMatchObject([{ sessionId, state: 'active' }]);

    startHost(relays);
    // Its process, and with it the page, has ended: whoever answers from now on is the other one.
    await first.end('SIGTERM');
    await expect.poll(() => callWorld(relay.url), { timeout: 60_000, interval: 200 }).toBe(200);
    const { url } = await startRelay(hosts);
    expect(await callWorld(url)).toBe(200);
    const elsewhere = sessionCaller(url, key);
    expect(await elsewhere.list()).toMatchObject([{ sessionId, clientId, state: 'active' }]);
    expect((await elsewhere.end(sessionId)).status).toBe(200);
    expect(await sessions.list()).toEqual([]);
  },
  120_000,
);
