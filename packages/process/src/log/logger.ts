import os from 'node:os';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import { censored, censorError, censorFields } from './censor.ts';
import { openLogOutput } from './log-output.ts';

export interface LoggerOptions {
  /** pino's level names, or `silent`. */
  level: string;
  /** The name of the process in each line, e.g. `relay`. */
  name: string;
  /** Stands in each line, beside the process and its host. */
  fields?: Readonly<Record<string, string>>;
  /** Prints lines for people instead of JSON. */
  pretty?: boolean;
  /** Matches text that is censored in every field and message, e.g. our API keys. Needs the flag `g`. */
  scrub?: RegExp;
  /** For tests that read the log. Standard output by default. */
  destination?: DestinationStream;
  /** Bytes that may wait for a reader of standard output. Further lines are dropped and counted. 8 MiB by default. */
  maxWaitingBytes?: number;
  /** Gets the counter of dropped lines, `process_log_lines_dropped_total`. */
  registry?: Registry;
}

export type { Logger };

/** Dropped lines are reported at most this often. */
const tellingMs = 1_000;

/** Writes one JSON line per event to standard output. Secrets are censored by the field's name and by `scrub`. */
export function createLogger(options: LoggerOptions): Logger {
  const { level, name, pretty = false, scrub } = options;
  const print = pretty
    ? prettyFactory({ colorize: true, ignore: 'pid,hostname,instance,version' })
    : (line: string) => line;
  const clean = scrub === undefined ? print : (line: string) => print(line.replaceAll(scrub, censored));
  const dropped = countDropped(options.registry);
  const log = pino(
    {
      level,
      name,
      base: { pid: process.pid, hostname: os.hostname(), ...options.fields },
      formatters: { log: censorFields },
      serializers: { err: censorError },
      hooks: { streamWrite: clean },
    },
    options.destination ??
      openLogOutput({
        maxWaitingBytes: options.maxWaitingBytes ?? 8_388_608,
        onDrop: dropped.add,
        onFlow: () => dropped.tell(log),
      }),
  );
  censorChildren(log);
  return log;
}

/** pino's formatter sees the fields of a line, but not those that a child logger adds to each line. */
function censorChildren(log: Logger): void {
  const { child } = log;
  log.child = function childOfCensored(this: Logger, bindings, options) {
    return child.call(this, censorFields(bindings), options);
  } as Logger['child'];
}

function countDropped(registry: Registry | undefined) {
  const total = new Counter({
    name: 'process_log_lines_dropped_total',
    help: 'Log lines that were dropped because nobody read standard output.',
    registers: registry ? [registry] : [],
  });
  let unreported = 0;
  let loggedAt = -Infinity;
  let later: NodeJS.Timeout | undefined;

  /** This line may be dropped too; the count is then reported with a later one. */
  function tell(log: Logger): void {
    const count = unreported;
    if (count === 0 || later) return;
    const waitMs = loggedAt + tellingMs - performance.now();
    if (waitMs > 0) {
      // A timer is needed because no further line may follow that would report the count.
      later = setTimeout(() => {
        later = undefined;
        tell(log);
      }, waitMs).unref();
      return;
    }
    loggedAt = performance.now();
    log.warn({ dropped: count }, 'log lines were dropped: nobody read standard output');
    unreported = unreported === count ? 0 : count;
  }

  return {
    add() {
      total.inc();
      unreported++;
    },
    tell,
  };
}
