import { BrowserHostConfigSchema, startBrowserHost } from '@tabletop-relay/browser-host';
import { createLogger, createMetrics, readConfig } from '@tabletop-relay/process';
import { browserBytes } from '@tabletop-relay/testing';
import { answerParent } from './child.ts';

/** One browser host, as it runs in production. */
const config = readConfig(BrowserHostConfigSchema, process.env);
const log = createLogger({ name: 'browser-host', level: config.logLevel, pretty: false });
const host = await startBrowserHost({ config, log, registry: createMetrics() });
answerParent('', { browserBytes: () => browserBytes(), stop: host.stop });
