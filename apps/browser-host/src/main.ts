import {
  createLogger,
  createMetrics,
  createShutdown,
  readSettings,
  startOpsServer,
  startOrTell,
  warnOfTransport,
} from '@tabletop-relay/process';
import { startBrowserHost } from './browser-host.ts';
import type { BrowserHost } from './browser-host.ts';
import { BrowserHostConfigSchema, checkBrowserHostConfig, longestStopMs } from './config.ts';

const config = readSettings(BrowserHostConfigSchema, process.env, checkBrowserHostConfig);
const metrics = createMetrics();
const log = createLogger({
  name: 'browser-host',
  level: config.logLevel,
  pretty: process.stdout.isTTY,
  maxWaitingBytes: config.maxLogQueueBytes,
  registry: metrics,
});
for (const warning of warnOfTransport(config)) log.warn(warning);
const shutdown = createShutdown({ log, timeoutMs: longestStopMs });

let host: BrowserHost | undefined;
// Started first and so stopped last: /metrics and /livez answer while the sessions are handed over.
if (config.opsPort !== undefined) {
  const { opsPort } = config;
  const ops = await startOrTell({ log, shutdown }, () =>
    startOpsServer({
      host: config.host,
      port: opsPort,
      metrics,
      health: () => Promise.resolve({ ready: host?.isRunning() ?? false }),
    }),
  );
  shutdown.onStop('ops', ops.close);
}

host = await startOrTell({ log, shutdown }, () => startBrowserHost({ config, log, registry: metrics }));
shutdown.onStop('browser host', host.stop);
log.info({ headlessAtOnce: config.headlessAtOnce }, 'waiting for headless sessions');
