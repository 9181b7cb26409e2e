import { readSettings, runProcess } from '@tabletop-relay/process';
import { checkRelayConfig, RelayConfigSchema } from './config.ts';
import { longestStopMs } from './drain.ts';
import { startInstance } from './instance.ts';

const config = readSettings(RelayConfigSchema, process.env, checkRelayConfig);
await runProcess({
  name: 'relay',
  config,
  longestStopMs: longestStopMs(config),
  start: ({ log, registry, shutdown }) =>
    startInstance({
      config,
      log,
      registry,
      onLost: () => {
        log.fatal('another relay has taken this database; stopping');
        shutdown.begin('lost');
      },
      onDrainAsked: () => shutdown.begin('an operator asked for it'),
    }),
  isReady: ({ relay }) => relay.isReady(),
});
