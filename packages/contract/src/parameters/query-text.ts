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

/** No number says more by more digits, and eight million of them take half a second. */
const longestNumber = 64;

function readNumber(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > longestNumber) return value;
  return jsonNumber.test(value) ? Number(value) : value;
}

/** JSON text, the parameter repeated, the parameter once for an array of one, and where its elements hold none, with commas. */
function arrayReader({ items, byCommas }: JsonSchema): ReadText {
  const readItem = items ? textReader(items) : asIs;
  const readItems = (value: unknown) => (Array.isArray(value) ? value.map(readItem) : value);
  return (value) => {
    if (typeof value !== 'string') return readItems(value);
    if (value === '' || isTooMuch(value)) return value;
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
  if (typeof value !== 'string' || isTooMuch(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** A scene of five thousand walls has half as many. Ten times as many take a second, in which nobody is answered. */
const mostInText = 200_000;

/** Whether a text may hold more elements than that. What counts a body’s does not see those that stand in a text as escapes. */
function isTooMuch(text: string): boolean {
  if (text.length <= mostInText) return false;
  let left = mostInText;
  for (const mark of [',', '[', '{'])
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1))
      if (left-- === 0) return true;
  return false;
}
