import { createLogger, createMetrics, readConfig } from '@tabletop-relay/process';
import { RelayConfigSchema, startInstance } from '@tabletop-relay/relay';
import { answerParent } from './processes/child.ts';

/** One whole instance with everything on, as it runs in production. */
const config = readConfig(RelayConfigSchema, process.env);
const log = createLogger({ name: 'relay', level: config.logLevel, pretty: false });
const instance = await startInstance({
  config,
  log,
  registry: createMetrics(),
  shutdown: { begin: () => process.exit(1) },
});
answerParent(instance.address, {
  collect: () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
});
