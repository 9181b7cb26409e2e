import {
  createLogger,
  createMetrics,
  createShutdown,
  readSettings,
  startOpsServer,
  startOrTell,
  warnOfTransport,
} from '@tabletop-relay/process';
import { checkWorkerConfig, longestStopMs, WorkerConfigSchema } from './config.ts';
import { startWorker } from './worker.ts';
import type { Worker } from './worker.ts';

const config = readSettings(WorkerConfigSchema, process.env, checkWorkerConfig);
const metrics = createMetrics();
const log = createLogger({
  name: 'worker',
  level: config.logLevel,
  pretty: process.stdout.isTTY,
  maxWaitingBytes: config.maxLogQueueBytes,
  registry: metrics,
});
for (const warning of warnOfTransport(config)) log.warn(warning);
const shutdown = createShutdown({ log, timeoutMs: longestStopMs });

let worker: Worker | undefined;
// Started first and so stopped last: /metrics and /livez answer while the running jobs end.
if (config.opsPort !== undefined) {
  const { opsPort } = config;
  const ops = await startOrTell({ log, shutdown }, () =>
    startOpsServer({
      host: config.host,
      port: opsPort,
      metrics,
      health: () => Promise.resolve({ ready: worker?.isRunning() ?? false }),
    }),
  );
  shutdown.onStop('ops', ops.close);
}

worker = await startOrTell({ log, shutdown }, () => startWorker({ config, log, registry: metrics }));
shutdown.onStop('worker', worker.stop);
log.info('working jobs off');
