import type { Static, TObject, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { warnOfRemovedSettings } from './removed-settings.ts';
import { createReread, readSecretFile } from './secret-files.ts';
import type { Reread } from './secret-files.ts';

/** Adds two fields to a TypeBox schema: `unit`, e.g. `ms`, and `secret`, whose value is never printed. */
interface SettingSchema extends TSchema {
  type?: string;
  enum?: unknown[];
  description?: string;
  default?: unknown;
  unit?: string;
  secret?: boolean;
}

/** Lists all problems of the settings, one line each. No line contains a secret's value. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`wrong settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** The settings, `reread` if any of them came from a file, and `removed` if any is set that is read no longer. */
export type Config<T extends TObject> = Static<T> & { reread?: Reread; removed?: string[] };

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads each property of a flat schema from its environment variable (`publicUrl` from `PUBLIC_URL`). An empty
 * variable counts as unset. A secret may stand in a file instead, which `<NAME>_FILE` names. Lists are separated by
 * commas or line ends; a boolean is on/off, true/false, yes/no or 1/0. `check` returns the problems between settings that are
 * valid each by itself. Throws one `ConfigError` for all problems. Settings that were removed are no problem: `removed` has
 * lines for the log about them.
 */
export function readConfig<T extends TObject>(
  schema: T,
  env: Environment,
  check: (config: Static<T>) => string[] = () => [],
): Config<T> {
  const config: Record<string, unknown> = {};
  const problems: string[] = [];
  const sources = new Map<string, () => string | undefined>();
  for (const [key, setting] of settingsOf(schema)) {
    const name = variableName(key);
    const { text, file, trouble } = readText(env, name, setting);
    if (trouble !== undefined) {
      problems.push(trouble);
      continue;
    }
    const value = text === undefined || text === '' ? structuredClone(setting.default) : parse(setting, text);
    if (value !== undefined) config[key] = value;
    const problem = value === undefined ? missing(schema, key) : violation(setting, value);
    if (problem !== undefined) problems.push(`${name} ${problem}${shown(setting, text)}`);
    if (file === undefined) continue;
    for (const [index, part] of textsOf(value).entries()) {
      sources.set(part, () => textsOf(parse(setting, readSecretFile(file)))[index]);
    }
  }
  if (sources.size > 0) config['reread'] = createReread(sources);
  const removed = warnOfRemovedSettings(env);
  if (removed.length > 0) config['removed'] = removed;
  if (problems.length === 0) problems.push(...check(config as Static<T>));
  if (problems.length > 0) throw new ConfigError(problems);
  return config as Config<T>;
}

/** A secret is a text or a list of them. */
function textsOf(value: unknown): string[] {
  return [value].flat().filter((part) => typeof part === 'string');
}

interface SettingText {
  text?: string;
  /** Set if the text came from a file instead of the variable. */
  file?: string;
  trouble?: string;
}

function readText(env: Environment, name: string, setting: SettingSchema): SettingText {
  const text = env[name]?.trim();
  const file = setting.secret === true ? env[`${name}_FILE`]?.trim() : undefined;
  if (!file) return text === undefined ? {} : { text };
  if (text) return { trouble: `${name} and ${name}_FILE are both set: keep one of them` };
  try {
    return { text: readSecretFile(file).trim(), file };
  } catch (error) {
    return { trouble: `${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

export interface SettingRow {
  name: string;
  description: string;
  type: string;
  /** As an operator would write it. */
  default?: string;
  unit?: string;
  required: boolean;
  secret: boolean;
}

/** Returns one row per setting in the schema's order. The reference page and `.env.example` are printed from them. */
export function describeConfig(schema: TObject): SettingRow[] {
  return settingsOf(schema).map(([key, setting]) => ({
    name: variableName(key),
    description: setting.description ?? '',
    type: setting.enum === undefined ? (setting.type ?? 'string') : setting.enum.join(' | '),
    ...(setting.default === undefined ? {} : { default: print(setting.default) }),
    ...(setting.unit === undefined ? {} : { unit: setting.unit }),
    required: missing(schema, key) !== undefined && setting.default === undefined,
    secret: setting.secret === true,
  }));
}

function settingsOf(schema: TObject): [string, SettingSchema][] {
  return Object.entries(schema.properties as Record<string, SettingSchema>);
}

function variableName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

const booleans: Record<string, boolean> = {
  on: true,
  true: true,
  yes: true,
  '1': true,
  off: false,
  false: false,
  no: false,
  '0': false,
};

/** Leaves text that does not parse as it is, so that the check against the schema reports it. */
function parse(setting: SettingSchema, text: string): unknown {
  if (setting.type === 'boolean') return booleans[text.toLowerCase()] ?? text;
  if (setting.type === 'integer' || setting.type === 'number')
    return Number.isNaN(Number(text)) ? text : Number(text);
  if (setting.type === 'array')
    return text
      .split(/[,\n]/)
      .map((item) => item.trim())
      .filter((item) => item !== '');
  return text;
}

function print(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value);
}

function missing(schema: TObject, key: string): string | undefined {
  return (schema.required as readonly string[] | undefined)?.includes(key) === true
    ? 'must be set'
    : undefined;
}

function violation(setting: SettingSchema, value: unknown): string | undefined {
  const [error] = Value.Errors(setting, value);
  if (error === undefined) return undefined;
  const what = setting.enum === undefined ? error.message : `must be one of ${setting.enum.join(', ')}`;
  if (Array.isArray(value) && value.length > 1) return `${what}${placeIn(value, error.instancePath)}`;
  return setting.unit === undefined ? what : `${what} (in ${setting.unit})`;
}

/** Which of several values is wrong. They may be one that was not meant to be cut. */
function placeIn(values: readonly unknown[], instancePath: string): string {
  const [, index] = /^\/(\d+)/.exec(instancePath) ?? [];
  const count = `${values.length} values, for a comma or a line end separates them`;
  return index === undefined ? ` (it has ${count})` : ` (value ${Number(index) + 1} of ${count})`;
}

function shown(setting: SettingSchema, text: string | undefined): string {
  return text === undefined || text === '' || setting.secret === true ? '' : `, not ${JSON.stringify(text)}`;
}
