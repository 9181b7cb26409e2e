import { startBrowserHost } from '@tabletop-relay/browser-host';
import { SchemaVersionError, StartError } from '@tabletop-relay/database';
import { startDemoWorld } from '@tabletop-relay/demo-world';
import { fileStorage } from '@tabletop-relay/module-sdk/node';
import {
  ConfigError,
  createLogger,
  createMetrics,
  createShutdown,
  readConfig,
} from '@tabletop-relay/process';
import type { Config } from '@tabletop-relay/process';
import { startInstance } from '@tabletop-relay/relay';
import type { RelayConfig, RunningInstance } from '@tabletop-relay/relay';
import { startWorker } from '@tabletop-relay/worker';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { announcement } from './announcement.ts';
import type { Announced } from './announcement.ts';
import { checkStandaloneConfig, StandaloneConfigSchema } from './config.ts';
import { openDemo } from './demo.ts';

/** The user of the demo world who may log in to it. */
const gameMaster = 'Ada';

try {
  await start();
} catch (error) {
  console.error(`\nTabletop Relay did not start: ${explain(error)}`);
  process.exit(1);
}

async function start(): Promise<void> {
  const config = readConfig(StandaloneConfigSchema, process.env, checkStandaloneConfig);
  const log = createLogger({
    name: 'relay',
    level: config.logLevel,
    pretty: process.stdout.isTTY,
    maxWaitingBytes: config.maxLogQueueBytes,
  });
  const shutdown = createShutdown({ log, timeoutMs: 30_000 });
  const dataDir = path.resolve(config.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });

  console.log('Starting the database and the relay …');
  const registry = createMetrics();
  const instance = await startInstance({
    config: { ...config, ...offerDemoWorld(config) },
    log,
    registry,
    onLost: () => shutdown.begin('another relay has taken this database'),
    onDrainAsked: () => shutdown.begin('an operator asked for it'),
  });
  shutdown.onStop('relay', instance.stop);
  const worker = await startWorker({
    config: {
      ...config,
      databaseUrl: instance.databaseUrl,
      relaySecret: [...instance.secrets],
      ...(instance.migrateDatabaseUrl && { migrateDatabaseUrl: instance.migrateDatabaseUrl }),
      migrate: true,
      jobsAtOnce: 2,
    },
    log,
    registry,
  });
  shutdown.onStop('worker', worker.stop);
  const browserHost = await startBrowserHost({
    config: { ...config, databaseUrl: instance.databaseUrl },
    log,
    registry,
  });
  shutdown.onStop('browser host', browserHost.stop);
  const relayUrl = config.publicUrl ?? localUrl(instance.address);
  const demo = config.demo ? await startDemo(instance, dataDir, config.demoPort) : undefined;
  if (demo) shutdown.onStop('demo world', demo.close);
  console.log(announcement({ relayUrl, dataDir, ...(demo ? { demo } : {}) }));
}

/** The demo world that the dashboard offers: ours, unless the settings name another. One on any free port has no address yet. */
function offerDemoWorld({
  demo,
  demoPort,
  demoWorldUrl,
}: Config<typeof StandaloneConfigSchema>): Pick<RelayConfig, 'demoWorldUrl'> {
  if (demoWorldUrl !== undefined) return { demoWorldUrl };
  return demo && demoPort !== 0 ? { demoWorldUrl: `http://localhost:${demoPort}/` } : {};
}

async function startDemo(
  { address: relayUrl, relay }: RunningInstance,
  dataDir: string,
  port: number,
): Promise<NonNullable<Announced['demo']> & { close(): Promise<void> }> {
  console.log('Starting the demo world …');
  const demo = await openDemo(relayUrl, dataDir, relay.register);
  const storage = fileStorage(path.join(dataDir, 'demo-world.json'));
  const isPaired = (await storage.load()).connectionToken !== undefined;
  const world = await startDemoWorld({
    relayUrl,
    storage,
    port,
    passwords: { [gameMaster]: demo.account.worldPassword },
    pairingCode: isPaired ? undefined : await demo.createPairingCode(),
  });
  await world.module.connect();
  const { clientId = '' } = await storage.load();
  const logIn = { url: new URL('login', localUrl(world.url)).href, user: gameMaster };
  const overlayKey = await demo.overlayKey(clientId);
  return { account: demo.account, clientId, worldUrl: world.url, logIn, overlayKey, close: world.close };
}

function localUrl(url: string): string {
  return url.replace('127.0.0.1', 'localhost');
}

function explain(error: unknown): string {
  const isToldInWords = [ConfigError, SchemaVersionError, StartError].some((known) => error instanceof known);
  if (isToldInWords) return (error as Error).message;
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `port ${port} is in use; set PORT (or DEMO_PORT) to another.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
