import os from 'node:os';
import { pino } from 'pino';

const secretFields = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'token',
  'password',
  'code',
  'access_token',
  'refresh_token',
  'client_secret',
  'code_verifier',
]);

export const censored = '[redacted]';

/** Levels of nested fields that are searched for secrets. */
const maxDepth = 3;

/**
 * Censors every secret field of a log line, recognised by its name, down to the third level. Returns the same object
 * if there is no secret in it, which is the usual case and costs less than a microsecond.
 */
export function censorFields(fields: object, depth = maxDepth): Record<string, unknown> {
  const given = fields as Record<string, unknown>;
  let clean = given;
  for (const name of Object.keys(given)) {
    const value = given[name];
    const kept = censorField(name, value, depth);
    if (kept === value) continue;
    if (clean === given) clean = (Array.isArray(given) ? [...given] : { ...given }) as typeof given;
    clean[name] = kept;
  }
  return clean;
}

function censorField(name: string, value: unknown, depth: number): unknown {
  if (value === undefined) return value;
  if (secretFields.has(name)) return name === 'code' && isErrorCode(value) ? value : censored;
  if (depth === 1 || typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  // `censorError` prints this one and censors it then.
  if (name === 'err' && depth === maxDepth && value instanceof Error) return value;
  return censorFields(value, depth - 1);
}

/** Prints an error with its type, message, stack and other fields, and censors the fields. */
export function censorError(error: unknown): unknown {
  const printed: unknown = error instanceof Error ? pino.stdSerializers.err(error) : error;
  return typeof printed === 'object' && printed !== null ? censorFields(printed, maxDepth - 1) : printed;
}

/**
 * Recognises error codes of the system (ENOENT), of Node (ERR_...), of SQL (23505) and ours (client_timeout). No pairing
 * code has such a form.
 */
function isErrorCode(value: unknown): boolean {
  if (typeof value !== 'string') return true;
  return value in os.constants.errno || /^(?:ERR_\w+|\d[\dA-Z]{4}|[a-z_]{7,25})$/.test(value);
}
