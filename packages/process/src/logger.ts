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
  /** Which process speaks, e.g. `relay`. */
  name: string;
  /** Lines for people instead of JSON. */
  pretty?: boolean;
  /** Text that must not appear whatever field or message it stands in, e.g. the form of our keys. Global. */
  scrub?: RegExp;
  /** Standard output unless a test wants to read along. */
  destination?: DestinationStream;
  /** What may wait for a reader of standard output; further lines are dropped and counted. 8 MiB unless given. */
  maxWaitingBytes?: number;
  /** Where dropped lines are counted, as `process_log_lines_dropped_total`. */
  registry?: Registry;
}

export type { Logger };

/** How often it is told that lines are dropped. */
const tellingMs = 1_000;

/** One JSON line per event on standard output; secrets are censored by field name and by form. */
export function createLogger(options: LoggerOptions): Logger {
  const { level, name, pretty = false, scrub } = options;
  const print = pretty ? prettyFactory({ colorize: true, ignore: 'pid,hostname' }) : (line: string) => line;
  const clean = scrub === undefined ? print : (line: string) => print(line.replaceAll(scrub, censored));
  const dropped = countDropped(options.registry);
  const log = pino(
    {
      level,
      name,
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

/** pino formats what a line carries, not what a child carries into each of its lines. */
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
  let untold = 0;
  let toldAt = -Infinity;
  let later: NodeJS.Timeout | undefined;

  /** The line may be dropped itself: then it is told later. */
  function tell(log: Logger): void {
    const count = untold;
    if (count === 0 || later) return;
    const waitMs = toldAt + tellingMs - performance.now();
    if (waitMs > 0) {
      // The queue may be empty by then, and no line may follow that would bring this up again.
      later = setTimeout(() => {
        later = undefined;
        tell(log);
      }, waitMs).unref();
      return;
    }
    toldAt = performance.now();
    log.warn({ dropped: count }, 'log lines were dropped: nobody read standard output');
    untold = untold === count ? 0 : count;
  }

  return {
    add() {
      total.inc();
      untold++;
    },
    tell,
  };
}
