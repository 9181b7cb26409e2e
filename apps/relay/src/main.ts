import {
  createLogger,
  createMetrics,
  createShutdown,
  readSettings,
  startOpsServer,
  startOrTell,
} from '@tabletop-relay/process';
import { checkRelayConfig, RelayConfigSchema } from './config.ts';
import { longestStopMs } from './drain.ts';
import { startInstance } from './instance.ts';
import type { RunningInstance } from './instance.ts';

const config = readSettings(RelayConfigSchema, process.env, checkRelayConfig);
const metrics = createMetrics();
const log = createLogger({
  name: 'relay',
  level: config.logLevel,
  pretty: process.stdout.isTTY,
  maxWaitingBytes: config.maxLogQueueBytes,
  registry: metrics,
});
const shutdown = createShutdown({ log, timeoutMs: longestStopMs(config) });

let instance: RunningInstance | undefined;
// Started first and so stopped last: /metrics tells of the drain, and /livez answers while it runs.
if (config.opsPort !== undefined) {
  const { opsPort } = config;
  const ops = await startOrTell({ log, shutdown }, () =>
    startOpsServer({
      host: config.host,
      port: opsPort,
      metrics,
      health: () => Promise.resolve({ ready: instance?.relay.isReady() ?? false }),
    }),
  );
  shutdown.onStop('ops', ops.close);
}

instance = await startOrTell({ log, shutdown }, () =>
  startInstance({
    config,
    log,
    registry: metrics,
    onLost: () => {
      log.fatal('another relay has taken this database; stopping');
      shutdown.begin('lost');
    },
    onDrainAsked: () => shutdown.begin('an operator asked for it'),
  }),
);
shutdown.onStop('instance', instance.stop);
