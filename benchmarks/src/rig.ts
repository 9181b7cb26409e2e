import { asAppRole, createAppRole, startEmbeddedPostgres } from '@tabletop-relay/database';
import { nodeFlagsOf, startRedis } from '@tabletop-relay/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startChild } from './processes/child.ts';
import type { Child } from './processes/child.ts';
import type { LoadTarget } from './load.ts';
import { seedSeats } from './seed.ts';
import type { Seat } from './seed.ts';
import type { ConnectReport, ConnectRequest } from './processes/worlds.ts';

/** Real servers and the processes that are measured, on this machine alone. */
export interface Rig {
  redisPid: number;
  /** With these settings beside its own, as environment variables. */
  startInstance(settings?: Readonly<Record<string, string>>): Promise<Child>;
  /** With these settings, as environment variables. */
  startBrowserHost(settings: Readonly<Record<string, string>>): Promise<Child>;
  startServer(file: './floor.ts' | './pipe.ts' | './held-responses.ts'): Promise<Child>;
  startAudience(): Promise<Child>;
  startWorlds(): Promise<Child & { connect(request: ConnectRequest): Promise<ConnectReport> }>;
  /** So many paired worlds, each of an account of its own. */
  seat(count: number): Promise<Seat[]>;
  /** Ends everything that was started. */
  stop(): Promise<void>;
}

export interface RigOptions {
  /** Where each instance writes a processor profile when it ends. */
  profileFolder?: string | undefined;
  /** Folder of the checkout whose relay is measured; this one unless named. */
  checkout?: string | undefined;
}

/** High, and counted all the same. */
const highLimits = {
  CALLS_PER_MINUTE: '100000000',
  // All worlds and callers come from one address.
  MAX_CONNECTIONS_PER_ADDRESS: '1000000',
  MAX_CONNECTIONS: '1000000',
  // A few worlds answer for all.
  STREAMS_PER_KEY: '1000000',
  STREAMS_PER_ACCOUNT: '1000000',
  MODULE_FRAMES_PER_SECOND: '1000000',
  MODULE_BYTES_PER_SECOND: '10000000000',
  MODULE_BURST_BYTES: '10000000000',
};

export async function startRig({ profileFolder, checkout }: RigOptions = {}): Promise<Rig> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'relay-bench-'));
  const stops: (() => Promise<void>)[] = [
    () => Promise.resolve(rmSync(home, { recursive: true, force: true })),
  ];
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(home, 'postgres') });
  stops.push(postgres.stop);
  await createAppRole({ url: postgres.url, log: console });
  const redis = await startRedis();
  stops.push(redis.stop);
  let prefixes = 0;
  let instances = 0;
  const profile = profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [];

  function keep<C extends Child>(child: C): C {
    stops.push(child.stop);
    return child;
  }

  return {
    redisPid: redis.pid,
    async startInstance(settings = {}) {
      return keep(
        await startChild(checkout ? path.join(checkout, 'benchmarks/src/instance.ts') : '../instance.ts', {
          execArgv: [...nodeFlagsOf('relay'), '--expose-gc', ...profile],
          env: {
            // A checkout of before the two roles migrates with the one that it runs under.
            DATABASE_URL: checkout ? postgres.url : asAppRole(postgres.url),
            MIGRATE_DATABASE_URL: postgres.url,
            REDIS_URL: redis.url,
            RELAY_SECRET: 'only for benchmarks on this machine',
            PUBLIC_URL: 'https://relay.example.org',
            PORT: '0',
            INSTANCE_ID: `bench-${++instances}`,
            ...highLimits,
            ...settings,
          },
        }),
      );
    },
    async startBrowserHost(settings) {
      const env = { DATABASE_URL: asAppRole(postgres.url), REDIS_URL: redis.url, ...settings };
      return keep(await startChild('./browser-host.ts', { env }));
    },
    async startServer(file) {
      return keep(await startChild(file, { execArgv: ['--expose-gc'] }));
    },
    startAudience: async () => keep(await startChild('./audience.ts')),
    async startWorlds() {
      const child = keep(await startChild('./worlds.ts'));
      return { ...child, connect: (request) => child.ask<ConnectReport>('connect', request) };
    },
    seat: (count) => seedSeats(postgres.url, count, `bench${++prefixes}`),
    async stop() {
      for (const stop of stops.reverse()) await stop();
    },
  };
}

/** A skill check on a world by way of an instance. */
export function callTo({ url }: Child, { clientId, apiKey }: Seat): LoadTarget {
  return {
    origin: url,
    path: `/sys5e/skill-check?clientId=${clientId}`,
    headers: { 'x-api-key': apiKey },
    body: skillCheck,
  };
}

/** The same body without a relay's parameters: to the floor, or to a world behind the least relay. */
export function bareCallTo({ url }: Child, clientId = ''): LoadTarget {
  return { origin: url, path: clientId ? `/?clientId=${clientId}` : '/', body: skillCheck };
}

const skillCheck = JSON.stringify({ actorUuid: 'Actor.mira', skill: 'prc' });
