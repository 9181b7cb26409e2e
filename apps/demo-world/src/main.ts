import { join } from 'node:path';
import { PairingError } from '@tabletop-relay/module-sdk';
import type { ModuleStatus } from '@tabletop-relay/module-sdk';
import { fileStorage } from '@tabletop-relay/module-sdk/node';
import { ConfigError, createLogger, createShutdown, readConfig } from '@tabletop-relay/process';
import { demoWorldConfigSchema } from './config.ts';
import { startDemoWorld } from './serve.ts';

/** A demo world on its own, beside a relay that runs elsewhere. */
const log = createLogger({ name: 'demo-world', level: 'info', pretty: process.stdout.isTTY });
const shutdown = createShutdown({ log, timeoutMs: 10_000 });

const unpaired = 'not paired: make a code in the dashboard and start again with PAIRING_CODE';

function logStatus(status: ModuleStatus): void {
  if (status.state === 'connected') log.info({ clientId: status.clientId }, 'connected to the relay');
  if (status.state === 'waiting') log.warn({ reason: status.reason }, 'waiting for the relay');
  if (status.state === 'unpaired') log.warn(unpaired);
}

try {
  const { dataDir, ...config } = readConfig(demoWorldConfigSchema, process.env);
  const world = await startDemoWorld({
    ...config,
    storage: fileStorage(join(dataDir, 'demo-world.json')),
    onStatus: logStatus,
    onError: (error) => log.error({ err: error }, 'unexpected'),
  });
  shutdown.onStop('demo world', world.close);
  log.info({ url: world.url }, 'the world’s page');
} catch (error) {
  if (!(error instanceof PairingError || error instanceof ConfigError)) throw error;
  log.fatal(error.message);
  process.exitCode = 1;
}
