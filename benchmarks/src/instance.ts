import { monitorEventLoopDelay } from 'node:perf_hooks';
import { operations } from '@tabletop-relay/contract';
import { createLogger, createMetrics, readConfig } from '@tabletop-relay/process';
import { RelayConfigSchema, startInstance } from '@tabletop-relay/relay';
import { answerParent } from './processes/child.ts';

/** One whole instance with everything on, as it runs in production. */
const config = readConfig(RelayConfigSchema, process.env);
/** So many of the operations, from the first on; all unless told. */
const served = operations.slice(0, Number(process.env['BENCH_OPERATIONS'] ?? operations.length));
const log = createLogger({ name: 'relay', level: config.logLevel, pretty: false });
const instance = await startInstance({
  config,
  log,
  registry: createMetrics(),
  operations: served,
  shutdown: { begin: () => process.exit(1) },
});
/** Counts also what other processes took of the processor meanwhile. */
const turns = monitorEventLoopDelay({ resolution: 1 });
turns.enable();
answerParent(instance.address, {
  longestTurn,
  collect: () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  parse: measureParse,
  'record-calls': (isOn: boolean) => void (config.callLog = isOn),
});

/** Microseconds of processor time that one JSON.parse of this text takes here. */
function measureParse({ text, times }: { text: string; times: number }): number {
  const run = () => {
    const before = process.cpuUsage();
    for (let time = 0; time < times; time++) JSON.parse(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
  };
  run();
  return run();
}

/** The longest turn of the event loop since the last question, in milliseconds. */
function longestTurn(): number {
  const longestMs = turns.max / 1e6;
  turns.reset();
  return longestMs;
}
