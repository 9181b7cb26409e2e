import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { UsageError } from '../terminal/failures.ts';
import { readInput } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import type { FlagRow } from './table.ts';

export interface Given {
  /** By the flags' names without dashes. */
  flags: Readonly<Record<string, string | boolean | string[] | undefined>>;
  positionals: string[];
}

/** A flag of our own commands. */
export interface OwnFlag {
  flag: string;
  /** What stands for its value in help; absent: it has none. */
  value?: string;
  isRepeated?: true;
  says: string;
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads a command line. Throws a `UsageError` for what the command does not know. */
export function readFlags(
  args: readonly string[],
  own: readonly OwnFlag[],
  rows: readonly FlagRow[] = [],
): Given {
  const options: Options = {};
  for (const { flag, value, isRepeated } of own)
    options[flag] = {
      type: value === undefined ? 'boolean' : 'string',
      ...(isRepeated ? { multiple: true } : {}),
    };
  for (const { flag, type } of rows) {
    if (type === 'flag')
      Object.assign(options, { [flag]: { type: 'boolean' }, [`no-${flag}`]: { type: 'boolean' } });
    else options[flag] = { type: 'string', ...(type === 'texts' ? { multiple: true } : {}) };
  }
  try {
    const { values, positionals } = parseArgs({
      args: args.map((argument) => mend(argument, options)),
      options,
      allowPositionals: true,
    });
    return { flags: values as Given['flags'], positionals };
  } catch (error) {
    throw new UsageError(usageText(error as Error));
  }
}

/** `--actorUuid` is taken for `--actor-uuid`: the name of the parameter is what the reference says. */
function mend(argument: string, options: Options): string {
  const [, name = '', rest = ''] = /^--([\w-]+)(=[\s\S]*)?$/.exec(argument) ?? [];
  if (name === '' || Object.hasOwn(options, name)) return argument;
  const plain = (text: string) => text.replaceAll(/[-_]/g, '').toLowerCase();
  const meant = Object.keys(options).find((flag) => plain(flag) === plain(name));
  return meant === undefined ? argument : `--${meant}${rest}`;
}

/** Node's own words, without what it says of how options are declared. */
const usageText = ({ message }: Error): string =>
  `${message.replace(/ To specify a positional[\s\S]*/, '').replace(/\.$/, '')}. See --help.`;

/** The parameters that the flags of a call give. */
export async function parametersOf(
  rows: readonly FlagRow[],
  { flags }: Given,
  io: Pick<Io, 'stdin'>,
): Promise<Record<string, unknown>> {
  const parameters: Record<string, unknown> = {};
  for (const row of rows) {
    const value = await valueOf(row, flags, io);
    if (value !== undefined) parameters[row.parameter] = value;
  }
  return parameters;
}

async function valueOf(row: FlagRow, flags: Given['flags'], io: Pick<Io, 'stdin'>): Promise<unknown> {
  const { flag, type, byCommas } = row;
  const given = flags[flag];
  if (type === 'flag') {
    if (flags[`no-${flag}`] !== true) return given;
    if (given === true) throw new UsageError(`--${flag} and --no-${flag} contradict each other.`);
    return false;
  }
  if (given === undefined) return undefined;
  if (Array.isArray(given)) return byCommas ? given.flatMap((text) => text.split(',')) : given;
  const text = String(given);
  if (type === 'number') return numberIn(flag, text);
  if (type === 'json') return parseJson(flag, await textAt(text, io));
  if (row.from !== undefined) return await fromElsewhere(row, text, io);
  return row.or ? textOrJson(text, row.or) : text;
}

async function fromElsewhere({ flag, from }: FlagRow, text: string, io: Pick<Io, 'stdin'>): Promise<unknown> {
  if (from === 'file') return text.startsWith('@') ? new Uint8Array(await bytesAt(text, io)) : text;
  if (from === 'secret' && !text.startsWith('@')) {
    throw new UsageError(
      `--${flag} is a secret, and every program of this machine can read command lines: give it as @file, or as @- from standard input.`,
    );
  }
  const read = await textAt(text, io);
  return from === 'secret' ? read.replace(/\r?\n$/, '') : read;
}

function numberIn(flag: string, text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(number)) return number;
  throw new UsageError(`--${flag} takes a number, and ${JSON.stringify(text)} is none.`);
}

/** Reads a value as JSON. */
export function parseJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const hint = `write it in single quotes, or give a file as @name`;
    throw new UsageError(`--${what} takes JSON (${(error as Error).message}): ${hint}.`);
  }
}

function textOrJson(text: string, kinds: NonNullable<FlagRow['or']>): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const kind = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  return (kinds as readonly string[]).includes(kind) ? value : text;
}

/** The text itself, or of the file that `@name` names; `@-` is standard input. */
export async function textAt(text: string, io: Pick<Io, 'stdin'>): Promise<string> {
  return text.startsWith('@') ? (await bytesAt(text, io)).toString('utf8') : text;
}

async function bytesAt(text: string, io: Pick<Io, 'stdin'>): Promise<Buffer> {
  const name = text.slice(1);
  if (name === '-') return await readInput(io);
  return readLocal(name);
}

/** A file of this machine. */
export function readLocal(name: string): Buffer {
  try {
    return readFileSync(name);
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${(error as NodeJS.ErrnoException).code ?? ''}.`);
  }
}

/** The flags that must be given and are not, as a `UsageError`. */
export function checkRequired(rows: readonly FlagRow[], parameters: Readonly<Record<string, unknown>>): void {
  const missing = rows.filter(
    ({ isRequired, parameter }) => isRequired && parameters[parameter] === undefined,
  );
  if (missing.length === 0) return;
  throw new UsageError(`${missing.map(({ flag }) => `--${flag}`).join(' and ')} must be given. See --help.`);
}
