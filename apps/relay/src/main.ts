import {
  createLogger,
  createMetrics,
  createShutdown,
  readConfig,
  startOpsServer,
} from '@tabletop-relay/process';
import { checkRelayConfig, RelayConfigSchema } from './config.ts';
import { startInstance } from './instance.ts';

const config = readConfig(RelayConfigSchema, process.env, checkRelayConfig);
const metrics = createMetrics();
const log = createLogger({
  name: 'relay',
  level: config.logLevel,
  pretty: process.stdout.isTTY,
  maxWaitingBytes: config.maxLogQueueBytes,
  registry: metrics,
});
const drainMs = config.drainWaitMs + config.drainSpreadMs + config.drainGraceMs;
const shutdown = createShutdown({ log, timeoutMs: drainMs + 60_000 });

const instance = await startInstance({
  config,
  log,
  registry: metrics,
  onLost: () => {
    log.fatal('another relay has taken this database; stopping');
    shutdown.begin('lost');
  },
});
shutdown.onStop('instance', instance.stop);

if (config.opsPort !== undefined) {
  const ops = await startOpsServer({
    host: config.host,
    port: config.opsPort,
    metrics,
    health: () => Promise.resolve({ ready: instance.relay.isReady() }),
  });
  shutdown.onStop('ops', ops.close);
}
