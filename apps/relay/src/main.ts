import { readSettings, runProcess, version } from '@tabletop-relay/process';
import { checkRelayConfig, RelayConfigSchema } from './config.ts';
import { longestStopMs } from './drain.ts';
import { nameInstance, startInstance } from './instance.ts';

const settings = readSettings(RelayConfigSchema, process.env, checkRelayConfig);
const instanceId = nameInstance(settings);
const config = { ...settings, instanceId };
await runProcess({
  name: 'relay',
  config,
  fields: { instance: instanceId, version },
  longestStopMs: longestStopMs(config),
  start: (tools) => startInstance({ config, ...tools }),
  readiness: ({ relay }) => ({ ready: relay.isReady() }),
});
