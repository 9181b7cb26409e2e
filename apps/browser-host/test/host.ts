import { pino } from 'pino';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import Value from 'typebox/value';
import { BrowserHostConfigSchema, startBrowserHost } from '../src/index.ts';
import type { BrowserHost, BrowserHostConfig, BrowserHostOptions } from '../src/index.ts';

/** A browser host in this process, with the defaults of all settings that are not given. */
export function startTestHost(
  config: Partial<BrowserHostConfig>,
  { log = pino({ level: 'silent' }), ...options }: Partial<BrowserHostOptions> & { log?: Logger } = {},
): Promise<BrowserHost> {
  return startBrowserHost({
    config: Value.Default(BrowserHostConfigSchema, { ...config }) as BrowserHostConfig,
    log,
    registry: new Registry(),
    ...options,
  });
}
