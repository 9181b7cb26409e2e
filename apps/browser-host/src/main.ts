import { readSettings, runProcess, version, warnOfTransport } from '@tabletop-relay/process';
import { startBrowserHost } from './browser-host.ts';
import { BrowserHostConfigSchema, checkBrowserHostConfig, longestStopMs } from './config.ts';

const config = readSettings(BrowserHostConfigSchema, process.env, checkBrowserHostConfig);
await runProcess({
  name: 'browser-host',
  config,
  fields: { version },
  longestStopMs,
  async start({ log, registry }) {
    for (const warning of [...(config.removed ?? []), ...warnOfTransport(config)]) log.warn(warning);
    const host = await startBrowserHost({ config, log, registry });
    log.info({ headlessAtOnce: config.headlessAtOnce }, 'waiting for headless sessions');
    return host;
  },
  readiness: (host) => host.readiness(),
});
