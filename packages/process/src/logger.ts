import os from 'node:os';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';

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
}

export type { Logger };

const secretFields = ['authorization', 'cookie', 'set-cookie', 'x-api-key', 'token', 'password', 'code'];
const censored = '[redacted]';

/** One JSON line per event on standard output; secrets are censored by field name and by form. */
export function createLogger(options: LoggerOptions): Logger {
  const { level, name, pretty = false, scrub, destination = pino.destination(1) } = options;
  const print = pretty ? prettyFactory({ colorize: true, ignore: 'pid,hostname' }) : (line: string) => line;
  const clean = scrub === undefined ? print : (line: string) => print(line.replaceAll(scrub, censored));
  return pino(
    {
      level,
      name,
      redact: { paths: secretFields.flatMap(atAnyOfThreeDepths), censor },
      hooks: { streamWrite: clean },
    },
    destination,
  );
}

function atAnyOfThreeDepths(field: string): string[] {
  return [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`];
}

function censor(value: unknown, path: string[]): unknown {
  return path.at(-1) === 'code' && isErrorCode(value) ? value : censored;
}

/** Of the system (ENOENT), Node (ERR_...), SQL (23505) or ours (client_timeout): none has a pairing code's form. */
function isErrorCode(value: unknown): boolean {
  if (typeof value !== 'string') return true;
  return value in os.constants.errno || /^(?:ERR_\w+|\d[\dA-Z]{4}|[a-z_]{7,25})$/.test(value);
}
