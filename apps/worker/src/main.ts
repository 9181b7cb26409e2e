import { nameOfHost, readSettings, runProcess, version, warnOfTransport } from '@tabletop-relay/process';
import { checkWorkerConfig, longestStopMs, WorkerConfigSchema } from './config.ts';
import { startWorker } from './worker.ts';

const config = readSettings(WorkerConfigSchema, process.env, checkWorkerConfig);
const instanceId = nameOfHost();
await runProcess({
  name: 'worker',
  config,
  fields: { instance: instanceId, version },
  longestStopMs,
  async start({ log, registry }) {
    for (const warning of [...(config.removed ?? []), ...warnOfTransport(config)]) log.warn(warning);
    const worker = await startWorker({ config, log, registry, instanceId });
    log.info('working jobs off');
    return worker;
  },
  readiness: (worker) => worker.readiness(),
});
