import { checkOutbound } from '@tabletop-relay/outbound';
import {
  checkTransport,
  createLogger,
  createMetrics,
  createShutdown,
  readConfig,
  startOpsServer,
  warnOfTransport,
} from '@tabletop-relay/process';
import { startBrowserHost } from './browser-host.ts';
import { BrowserHostConfigSchema } from './config.ts';

const config = readConfig(BrowserHostConfigSchema, process.env, (given) => [
  ...checkOutbound(given),
  ...checkTransport(given),
]);
const metrics = createMetrics();
const log = createLogger({
  name: 'browser-host',
  level: config.logLevel,
  pretty: process.stdout.isTTY,
  maxWaitingBytes: config.maxLogQueueBytes,
  registry: metrics,
});
for (const warning of warnOfTransport(config)) log.warn(warning);
const shutdown = createShutdown({ log, timeoutMs: 60_000 });

const host = await startBrowserHost({ config, log, registry: metrics });
shutdown.onStop('browser host', host.stop);
log.info({ headlessAtOnce: config.headlessAtOnce }, 'waiting for headless sessions');

if (config.opsPort !== undefined) {
  const ops = await startOpsServer({
    host: config.host,
    port: config.opsPort,
    metrics,
    health: () => Promise.resolve({ ready: host.isRunning() }),
  });
  shutdown.onStop('ops', ops.close);
}
