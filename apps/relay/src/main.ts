import { readSettings, runProcess, version } from '@tabletop-relay/process';
import { checkRelayConfig, RelayConfigSchema } from './config.ts';
import { longestStopMs } from './drain.ts';
import { startInstance } from './instance.ts';
import { nameInstance } from './instances/instance-name.ts';

const settings = readSettings(RelayConfigSchema, process.env, checkRelayConfig);
const { instanceId, boot, warning } = await nameInstance(settings);
const config = { ...settings, instanceId };
await runProcess({
  name: 'relay',
  config,
  fields: { instance: instanceId, version },
  longestStopMs: longestStopMs(config),
  start(tools) {
    if (warning !== undefined) tools.log.warn(warning);
    return startInstance({ config, boot, ...tools });
  },
  readiness: ({ relay }) => ({ ready: relay.isReady() }),
});
