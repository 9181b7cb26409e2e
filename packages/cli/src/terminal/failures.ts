import { RelayError } from '@tabletop-relay/sdk';
import type { Io } from './io.ts';
import { write, withoutControls } from './io.ts';

/** The command line itself is wrong: nothing was asked of a relay. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What the SDK refuses before it asks anything is a fault of the command line. */
export function refusedBySdk(error: unknown): unknown {
  const isRefusal = error instanceof RangeError || error instanceof TypeError;
  return isRefusal ? new UsageError(error.message) : error;
}

/** How a command ended, for scripts. docs/from-a-shell.md has the list. */
export const exitCodes = {
  done: 0,
  fault: 1,
  usage: 2,
  refused: 3,
  authentication: 4,
  notSent: 5,
  unknown: 6,
  interrupted: 130,
} as const;

/** Codes of 403 that say nothing against the key. */
const notOfTheKey = new Set<string>(['paused', 'origin_refused']);

/** @param isQuery the call only read, so that an unknown outcome changed nothing */
export function exitCodeOf(error: unknown, isQuery: boolean): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (!(error instanceof RelayError)) return exitCodes.fault;
  const { code, status, outcome, retryable } = error;
  if (code.startsWith('key_request_')) return exitCodes.authentication;
  if ((status === 401 || status === 403) && !notOfTheKey.has(code)) return exitCodes.authentication;
  if (code === 'operation_failed') return exitCodes.refused;
  if (outcome === 'unknown' && !isQuery) return exitCodes.unknown;
  if (status === 400) return exitCodes.usage;
  if (outcome === 'not_sent' || retryable) return exitCodes.notSent;
  return exitCodes.fault;
}

/** Tells why a command failed: in words to a person, as one line of JSON to all others. */
export async function report(error: unknown, io: Io, options: { asJson: boolean }): Promise<void> {
  const document = problemOf(error);
  const text =
    options.asJson || !io.stderr.isTTY
      ? jsonText(document)
      : `tabletop: ${withoutControls(inWords(document))}`;
  await write(io.stderr, `${text}\n`);
}

interface Told {
  code: string;
  detail: string;
  outcome?: string | undefined;
  retryable?: boolean;
  [field: string]: unknown;
}

function problemOf(error: unknown): Told {
  if (error instanceof RelayError) {
    if (error.problem) return { ...error.problem };
    const { code, detail, status, retryable, outcome } = error;
    return { code, detail, status, retryable, ...(outcome ? { outcome } : {}) };
  }
  const detail = error instanceof Error ? error.message : String(error);
  const isUsage = exitCodeOf(error, true) === exitCodes.usage;
  return { code: isUsage ? 'usage' : 'fault', detail };
}

function inWords({ code, detail, outcome, retryable, errors, candidates, scope }: Told): string {
  const faults = list(errors).map(({ path, message }) => `\n  ${String(path)}: ${String(message)}`);
  const worlds = list(candidates).map(
    ({ clientId, worldTitle }) => `\n  --world ${String(clientId)}  ${String(worldTitle)}`,
  );
  const next =
    code === 'scope_missing' && typeof scope === 'string'
      ? `\nAsk for it: tabletop login <url> --scopes ${scope},...`
      : '';
  const sent = {
    not_sent: '\nThe world never heard of it.',
    unknown: '\nIt may have happened: look at the world before you repeat it.',
  }[outcome ?? ''];
  const again = retryable ? ' The same command may be repeated.' : '';
  return `${code === 'usage' || code === 'fault' ? '' : `${code}: `}${detail}${faults.join('')}${worlds.join('')}${sent ?? ''}${again}${next}`;
}

const list = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? (value as Record<string, unknown>[]) : [];

/** JSON that moves no cursor either: what JSON leaves as it is of control characters is written as their numbers. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
