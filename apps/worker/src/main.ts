import {
  createLogger,
  createMetrics,
  createShutdown,
  readConfig,
  startOpsServer,
  warnOfTransport,
} from '@tabletop-relay/process';
import { checkWorkerConfig, WorkerConfigSchema } from './config.ts';
import { startWorker } from './worker.ts';

const config = readConfig(WorkerConfigSchema, process.env, checkWorkerConfig);
const metrics = createMetrics();
const log = createLogger({
  name: 'worker',
  level: config.logLevel,
  pretty: process.stdout.isTTY,
  maxWaitingBytes: config.maxLogQueueBytes,
  registry: metrics,
});
for (const warning of warnOfTransport(config)) log.warn(warning);
const shutdown = createShutdown({ log, timeoutMs: 60_000 });

const worker = await startWorker({ config, log, registry: metrics });
shutdown.onStop('worker', worker.stop);
log.info('working jobs off');

if (config.opsPort !== undefined) {
  const ops = await startOpsServer({
    host: config.host,
    port: config.opsPort,
    metrics,
    health: () => Promise.resolve({ ready: worker.isRunning() }),
  });
  shutdown.onStop('ops', ops.close);
}
