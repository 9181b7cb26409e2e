import { startRedis } from '@tabletop-relay/testing';
import { createAccount, sessionCaller } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../../relay/test/instances.ts';
import { startTestHost } from './host.ts';

let stop: () => Promise<void>;
let sessions: ReturnType<typeof sessionCaller>;
beforeAll(async () => {
  const redis = await startRedis();
  const outboundAllow = ['127.0.0.0/8'];
  const cluster = await startInstances({ redis: [redis.url], config: { outboundAllow } });
  const { databaseUrl } = cluster;
  const chromiumPath = '/nowhere/chromium';
  const host = await startTestHost({ databaseUrl, redisUrl: [redis.url], outboundAllow, chromiumPath });
  const [{ url }] = cluster.instances;
  const account = await createAccount(url);
  sessions = sessionCaller(url, await account.createKey());
  stop = async () => {
    await host.stop();
    await cluster.stop();
    await redis.stop();
  };
});
afterAll(() => stop());

it('a host without a browser says how to get one to whoever starts a session, and goes on', async () => {
  const login = { tabletopUrl: 'http://127.0.0.1:9', username: 'Ada', password: 'p' };
  for (let time = 0; time < 2; time++) {
    const { status, body } = await sessions.logIn(login);
    expect(body).toMatchObject({
      code: 'browser_unavailable',
      retryable: true,
      detail: expect.stringMatching(/No Chromium was found: .*\/nowhere\/chromium.*install Chromium/),
    });
    expect(status).toBe(503);
  }
  expect(await sessions.list()).toEqual([]);
});
