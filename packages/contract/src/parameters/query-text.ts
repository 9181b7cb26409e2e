import type { TSchema } from 'typebox';
import type { ParameterOptions } from '../operations/operation-definition.ts';

/** Reads a value that came as text in place of its schema's type; what can't be read stays as it is, for the schema to refuse. */
export type ReadText = (value: unknown) => unknown;

interface JsonSchema extends ParameterOptions {
  type?: string;
  items?: TSchema;
  anyOf?: TSchema[];
  properties?: Record<string, TSchema>;
}

const asIs: ReadText = (value) => value;

const readers: Record<string, (schema: JsonSchema) => ReadText> = {
  boolean: () => readBoolean,
  number: () => readNumber,
  integer: () => readNumber,
  array: arrayReader,
  object: objectReader,
};

/** How the values of a parameter are read from text: by its schema's type, and as they are where it has none. */
export function textReader(schema: TSchema): ReadText {
  const json = schema as JsonSchema;
  if (json.type === undefined && json.anyOf) return unionReader(json.anyOf);
  return json.type !== undefined && Object.hasOwn(readers, json.type) ? readers[json.type]!(json) : asIs;
}

/** `true` and `false` in any case, as programs of several languages print them, and `1` and `0`. */
function readBoolean(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > 5) return value;
  const text = value.toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : value;
}

const jsonNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && jsonNumber.test(value) ? Number(value) : value;
}

/** JSON text, the parameter repeated, the parameter once for an array of one, and where its elements hold none, with commas. */
function arrayReader({ items, byCommas }: JsonSchema): ReadText {
  const readItem = items ? textReader(items) : asIs;
  const readItems = (value: unknown) => (Array.isArray(value) ? value.map(readItem) : value);
  return (value) => {
    if (typeof value !== 'string') return readItems(value);
    if (value === '') return value;
    if (value.trimStart().startsWith('[')) return readItems(readJson(value));
    return byCommas ? readItems(value.split(',').map((text) => text.trim())) : [readItem(value)];
  };
}

/** JSON text, and the values of the properties that the schema names. */
function objectReader({ properties = {} }: JsonSchema): ReadText {
  const inner = Object.entries(properties).map(([name, schema]) => [name, textReader(schema)] as const);
  return (value) => {
    const read = readJson(value);
    if (inner.length === 0 || typeof read !== 'object' || read === null || Array.isArray(read)) return read;
    const given = read as Record<string, unknown>;
    const known = inner.filter(([name]) => Object.hasOwn(given, name));
    return {
      ...given,
      ...Object.fromEntries(known.map(([name, readEach]) => [name, readEach(given[name])])),
    };
  };
}

/** The first alternative that can read the text. Where text itself will do, only JSON of an array or object is read. */
function unionReader(alternatives: readonly TSchema[]): ReadText {
  const takesText = alternatives.some((schema) => (schema as JsonSchema).type === 'string');
  const readEach = alternatives.map(textReader);
  return (value) => {
    if (typeof value !== 'string') return value;
    if (takesText) return /^\s*[[{]/.test(value) ? readJson(value) : value;
    return readEach.map((read) => read(value)).find((read) => read !== value) ?? value;
  };
}

function readJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
