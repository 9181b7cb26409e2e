import { findFreePort, startRedis } from '@tabletop-relay/testing';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import { startBalancer } from '../../balancer/balancer.ts';
import type { Proxy } from '../../balancer/configurations.ts';
import { startRelayProcess } from '../../process.ts';
import type { RelayProcess } from '../../process.ts';
import { startCalling } from './calling.ts';
import type { Tallies } from './calling.ts';
import { keepBareWorld, keepSdkWorld } from './worlds.ts';
import type { KeptWorld } from './worlds.ts';

export interface RollingRestartOptions {
  databaseUrl: string;
  sdkWorlds: number;
  /** Worlds whose modules ignore `reconnect`. */
  bareWorlds: number;
  callsPerSecond: number;
  /** So many of the three instances are replaced, the others run throughout. All unless told otherwise. */
  replaced?: number;
  /** How often each of those is replaced. */
  rounds: number;
  /** `DRAIN_SPREAD_MS` and `DRAIN_GRACE_MS`. */
  drainSpreadMs: number;
  drainGraceMs: number;
  /** haproxy unless told otherwise. */
  proxy?: Proxy;
  /**
   * Folders that each hold what an image contains, whose relay is run instead of the one here: the first at the start, the
   * next ones in the rounds, the last in all that are left. Undefined: the one here.
   */
  apps?: readonly (string | undefined)[];
  /** Tries more through the balancer before the restart; its answer is part of the report. */
  tryFirst?: (url: string) => Promise<string[]>;
}

export interface RollingRestartReport extends Tallies {
  longestAwayMs: { sdk: number; bare: number };
  onlineAtTheEnd: number;
  /** What did not work before anything was restarted. */
  brokenBefore: string[];
}

/** Three instances behind a balancer are replaced in turn, with worlds that are called all the time. */
export async function runRollingRestart(options: RollingRestartOptions): Promise<RollingRestartReport> {
  const redis = await startRedis();
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()];
  const { replaced = ports.length } = options;
  const start = (index: number, round: number) =>
    startRelay(options, { redisUrl: redis.url, port: ports[index] as number, index, round });
  const relays = await Promise.all(ports.map((_port, index) => start(index, 0)));
  const balancer = await startBalancer(ports, options.proxy);
  let worlds: KeptWorld[] = [];
  try {
    const brokenBefore = (await options.tryFirst?.(balancer.url)) ?? [];
    const account = await createAccount(balancer.url);
    const headers = { 'x-api-key': await account.createKey() };
    for (let index = 0; index < options.sdkWorlds + options.bareWorlds; index++) {
      const keep = index < options.sdkWorlds ? keepSdkWorld : keepBareWorld;
      worlds = [...worlds, keep(balancer.url, await account.pair())];
    }
    await Promise.all(worlds.map(({ connected }) => connected));
    const callers = startCalling(balancer.url, headers, worlds, options);
    for (let turn = 0; turn < options.rounds * replaced; turn++) {
      const index = turn % replaced;
      await balancer.leaveOut(index);
      await relays[index]?.end('SIGTERM');
      relays[index] = await start(index, 1 + Math.floor(turn / replaced));
      await balancer.takeIn();
    }
    const tallies = await callers.stop();
    const { body } = await call(balancer.url, 'GET', '/clients', { headers });
    const clients = body['clients'] as { isOnline: boolean }[];
    const longest = (isOnSdk: boolean) =>
      Math.max(0, ...worlds.filter((world) => world.isOnSdk === isOnSdk).map((one) => one.longestAwayMs()));
    return {
      ...tallies,
      brokenBefore,
      longestAwayMs: { sdk: longest(true), bare: longest(false) },
      onlineAtTheEnd: clients.filter(({ isOnline }) => isOnline).length,
    };
  } finally {
    for (const world of worlds) world.close();
    await Promise.all(relays.map((relay) => relay.end('SIGKILL')));
    await balancer.stop();
    await redis.stop();
  }
}

function startRelay(
  { apps = [], databaseUrl, drainSpreadMs, drainGraceMs }: RollingRestartOptions,
  { redisUrl, port, index, round }: { redisUrl: string; port: number; index: number; round: number },
): Promise<RelayProcess> {
  const app = apps[Math.min(round, apps.length - 1)];
  return startRelayProcess({
    port,
    databaseUrl,
    redisUrl,
    instanceId: `relay-${index + 1}`,
    ...(app && { app }),
    env: {
      TRUSTED_PROXIES: '127.0.0.1',
      DRAIN_WAIT_MS: '1000',
      DRAIN_SPREAD_MS: String(drainSpreadMs),
      DRAIN_GRACE_MS: String(drainGraceMs),
      DATABASE_POOL: '5',
      CALLS_IN_FLIGHT_PER_KEY: '10000',
    },
  });
}
