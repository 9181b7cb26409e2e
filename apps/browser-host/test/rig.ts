import { startDemoWorld } from '@tabletop-relay/demo-world';
import type { DemoWorld } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import { startRedis } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { createAccount, sessionCaller } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { pino } from 'pino';
import { startInstances } from '../../relay/test/instances.ts';
import type { RoomSettings } from '../../relay/src/config.ts';
import type { TestInstance, TestInstances } from '../../relay/test/instances.ts';
import type { BrowserHost, BrowserHostConfig, BrowserHostOptions } from '../src/index.ts';
import { startTestHost } from './host.ts';

/** Two relays over Redis, an account, and what starts browser hosts and demo worlds beside them. */
export interface Rig {
  cluster: TestInstances;
  first: TestInstance;
  second: TestInstance;
  redis: TestRedis;
  account: TestAccount;
  key: string;
  /** The four endpoints on the first relay. */
  sessions: ReturnType<typeof sessionCaller>;
  /** Log lines of the hosts. */
  logs: Record<string, unknown>[];
  startHost(config?: Partial<BrowserHostConfig>, options?: Partial<BrowserHostOptions>): Promise<BrowserHost>;
  /** A tabletop to log in to; its module is in the browser that logs in. */
  startWorld(): Promise<Tabletop>;
  stop(): Promise<void>;
}

export interface Tabletop {
  /** What a session is started with. */
  login: { tabletopUrl: string; username: string; password: string };
  world: DemoWorld;
}

const loopback = ['127.0.0.0/8', '::1/128'];
export const password = 'a demo password';

export async function startRig(config: Partial<RoomSettings> = {}): Promise<Rig> {
  const redis = await startRedis();
  const cluster = await startInstances({
    count: 2,
    redis: [redis.url],
    config: { outboundAllow: loopback, ...config },
  });
  const [first, second] = cluster.instances as [TestInstance, TestInstance];
  const account = await createAccount(first.url);
  const key = await account.createKey();
  const logs: Record<string, unknown>[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logs.push(JSON.parse(line)) });
  const running: { stop(): Promise<void> }[] = [];

  return {
    cluster,
    first,
    second,
    redis,
    account,
    key,
    logs,
    sessions: sessionCaller(first.url, key),
    async startHost(config = {}, options = {}) {
      const given = { databaseUrl: cluster.databaseUrl, redisUrl: [redis.url], outboundAllow: loopback };
      const host = await startTestHost({ ...given, ...config }, { log, ...options });
      let stopped: Promise<void> | undefined;
      const stop = () => (stopped ??= host.stop());
      running.push({ stop });
      return { ...host, stop };
    },
    async startWorld() {
      const world = await startDemoWorld({
        relayUrl: first.url,
        storage: memoryStorage(),
        passwords: { Ada: password, Ben: password },
      });
      running.push({ stop: world.close });
      const tabletopUrl = new URL('login', world.url).href;
      return { world, login: { tabletopUrl, username: 'Ada', password } };
    },
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
      await cluster.stop();
      await redis.stop();
    },
  };
}
