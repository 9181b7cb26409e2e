import { readSettings, runProcess } from '@tabletop-relay/process';
import { checkRelayConfig, RelayConfigSchema } from './config.ts';
import { longestStopMs } from './drain.ts';
import { startInstance } from './instance.ts';

const config = readSettings(RelayConfigSchema, process.env, checkRelayConfig);
await runProcess({
  name: 'relay',
  config,
  longestStopMs: longestStopMs(config),
  start: (tools) => startInstance({ config, ...tools }),
  readiness: ({ relay }) => ({ ready: relay.isReady() }),
});
