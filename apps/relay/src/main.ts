import { readSettings, runProcess, version } from '@tabletop-relay/process';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { checkRelayConfig, RelayConfigSchema } from './config.ts';
import { longestStopMs } from './drain.ts';
import { startInstance } from './instance.ts';

const settings = readSettings(RelayConfigSchema, process.env, checkRelayConfig);
const instanceId = settings.instanceId ?? `${hostname()}-${randomBytes(3).toString('hex')}`;
const config = { ...settings, instanceId };
await runProcess({
  name: 'relay',
  config,
  fields: { instance: instanceId, version },
  longestStopMs: longestStopMs(config),
  start: (tools) => startInstance({ config, ...tools }),
  readiness: ({ relay }) => ({ ready: relay.isReady() }),
});
