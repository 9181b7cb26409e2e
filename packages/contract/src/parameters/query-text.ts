import type { TSchema } from 'typebox';

/** Reads a value as it stands in a query string; what can't be read stays as it is, for the schema to refuse. */
export type ReadText = (value: unknown) => unknown;

interface JsonSchema {
  type?: string;
  items?: TSchema;
  anyOf?: TSchema[];
}

const asIs: ReadText = (value) => value;

const readers: Record<string, (schema: JsonSchema) => ReadText> = {
  boolean: () => (value) => (value === 'true' ? true : value === 'false' ? false : value),
  number: () => readNumber,
  integer: () => readNumber,
  array: arrayReader,
  object: () => readJson,
};

/** How the values of a parameter are read from a query string: by its schema's type, and text where it has none. */
export function textReader(schema: TSchema): ReadText {
  const json = schema as JsonSchema;
  if (json.type === undefined && json.anyOf) return unionReader(json.anyOf);
  return json.type !== undefined && Object.hasOwn(readers, json.type) ? readers[json.type]!(json) : asIs;
}

const jsonNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && jsonNumber.test(value) ? Number(value) : value;
}

/** JSON text, the parameter repeated, or the parameter once for an array of one. */
function arrayReader({ items }: JsonSchema): ReadText {
  const readItem = items ? textReader(items) : asIs;
  return (value) => {
    if (Array.isArray(value)) return value.map(readItem);
    if (typeof value !== 'string') return value;
    return value.trimStart().startsWith('[') ? readJson(value) : [readItem(value)];
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
