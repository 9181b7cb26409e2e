import { nameOfHost, readSettings, runProcess, version, warnOfTransport } from '@tabletop-relay/process';
import { startBrowserHost } from './browser-host.ts';
import { BrowserHostConfigSchema, checkBrowserHostConfig, longestStopMs } from './config.ts';

const config = readSettings(BrowserHostConfigSchema, process.env, checkBrowserHostConfig);
const instanceId = nameOfHost();
await runProcess({
  name: 'browser-host',
  config,
  fields: { instance: instanceId, version },
  longestStopMs,
  async start({ log, registry }) {
    for (const warning of [...(config.removed ?? []), ...warnOfTransport(config)]) log.warn(warning);
    const host = await startBrowserHost({ config, log, registry, instanceId });
    log.info({ headlessAtOnce: config.headlessAtOnce }, 'waiting for headless sessions');
    return host;
  },
  readiness: (host) => host.readiness(),
});
