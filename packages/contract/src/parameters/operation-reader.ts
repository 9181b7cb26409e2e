import { IsOptional, Type } from 'typebox';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Validator } from 'typebox/compile';
import { placesOf, refusesUnknown, wireNameOf } from '../operations/operation.ts';
import { namesOf } from '../operations/operation-definition.ts';
import type { ParameterOptions } from '../operations/operation-definition.ts';
import type { Operation, Place } from '../operations/operation.ts';
import { clientIdParameter, userIdParameter } from '../operations/parameters.ts';
import { isNarrowing } from './narrows.ts';
import { knownName } from './near-miss.ts';
import type { KnownName } from './near-miss.ts';

/** One parameter that callers of an operation may give. */
export interface Field {
  name: string;
  schema: TSchema;
  /** Undefined where the world is not told. */
  wireName: string | undefined;
  /** All that a caller may call it, its own name first. */
  names: readonly string[];
  places: readonly Place[];
  fallback: unknown;
  readText: ReadText;
  /** A larger number counts as this one; undefined where it is refused. */
  most: number | undefined;
  /** Whether a call does more without it, so that query and body may not differ in it. */
  narrows: boolean;
  /** Whether `null` stands for none. */
  takesNull: boolean;
  /** Whether an empty text stands for none, where the schema does not take one. */
  takesEmpty: boolean;
  /** Whether a value of its own is right. Compiled at its first use. */
  takes(value: unknown): boolean;
}

/** Everything that reading an operation's parameters needs, worked out once. */
export interface OperationReader {
  operation: Operation;
  fields: readonly Field[];
  /** Fields by each name that a caller may write. */
  byName: ReadonlyMap<string, Field>;
  /** The names that messages list: no aliases. */
  shownNames: readonly string[];
  /** Every name, for finding what a misspelt one may mean. */
  knownNames: readonly KnownName[];
  /** Fields that have more than one name. */
  renamed: readonly Field[];
  /** Whether a name that it does not know is refused whatever it is. */
  refusesUnknown: boolean;
  validator: Validator;
}

const readers = new WeakMap<Operation, OperationReader>();

/** The reader of an operation. Its schemas are compiled at the first call. */
export function readerOf(operation: Operation): OperationReader {
  let reader = readers.get(operation);
  if (!reader) readers.set(operation, (reader = createReader(operation)));
  return reader;
}

const bothPlaces: readonly Place[] = ['query', 'body'];

function createReader(operation: Operation): OperationReader {
  const { alsoRead = {} } = operation;
  const picks = pickingNames(operation);
  const field = (name: string, schema: TSchema, places: readonly Place[]): Field => {
    const {
      default: fallback,
      type,
      maximum,
    } = schema as { default?: unknown; type?: string; maximum?: number };
    const { aliases = [], cut } = schema as ParameterOptions;
    const wireName = wireNameOf(name, schema);
    const isLeftOut = IsOptional(schema) && !isNarrowing(name);
    return {
      name,
      schema,
      wireName,
      // A list that comes as `name[]`, once for each element.
      names: [...new Set([name, wireName, ...aliases, ...(type === 'array' ? [`${name}[]`] : [])])],
      places,
      fallback,
      readText: textReader(schema),
      most: cut && maximum,
      narrows: isNarrowing(name),
      takesNull: isLeftOut,
      takesEmpty: isLeftOut && !picks(name),
      takes: lazyCheck(schema),
    };
  };
  const fields = [
    field('clientId', clientIdParameter, bothPlaces),
    field('userId', userIdParameter, bothPlaces),
    ...Object.entries(operation.parameters).map(([name, schema]) =>
      field(name, schema, placesRead(operation, name)),
    ),
    ...Object.entries(alsoRead).map(([name, schema]) => ({
      ...field(name, schema, bothPlaces),
      wireName: undefined,
    })),
  ];
  return {
    operation,
    fields,
    byName: new Map(fields.flatMap((each) => each.names.map((name) => [name, each] as const))),
    shownNames: [...new Set(fields.flatMap(({ wireName, name }) => (wireName ? [wireName, name] : [])))],
    knownNames: fields.flatMap((each) => each.names.map((name) => knownName(name, each.name))),
    renamed: fields.filter(({ names }) => names.length > 1),
    refusesUnknown: refusesUnknown(operation),
    validator: Compile(
      Type.Object({
        clientId: clientIdParameter,
        userId: userIdParameter,
        ...operation.parameters,
        ...alsoRead,
      }),
    ),
  };
}

/**
 * Tells the parameters that pick what a command acts on: all of one that does more when less is given, and the
 * alternatives of any other. An empty text there is a value that its caller failed to fill in, and no wish for another target.
 */
function pickingNames(operation: Operation): (name: string) => boolean {
  const { kind, identifiedBy = [], prefers = [], needsOneOf = [] } = operation;
  if (kind === 'query') return () => false;
  const picking = new Set([...[...identifiedBy, ...prefers].flat().flatMap(namesOf), ...needsOneOf]);
  return (name) => refusesUnknown(operation) || picking.has(name);
}

/** The documents show one place for a GET, the query: not every proxy passes its body on. A body that arrives is read all the same. */
function placesRead(operation: Operation, name: string): readonly Place[] {
  const places = placesOf(operation, name);
  const { place } = operation.parameters[name] as ParameterOptions;
  return operation.method === 'GET' && !place && places[0] === 'query' ? bothPlaces : places;
}

function lazyCheck(schema: TSchema): (value: unknown) => boolean {
  let validator: Validator | undefined;
  return (value) => (validator ??= Compile(schema)).Check(value);
}

/** Reads a value that came as text in place of its schema's type; what can't be read stays as it is, for the schema to refuse. */
export type ReadText = (value: unknown) => unknown;

interface JsonSchema extends ParameterOptions {
  type?: string;
  items?: TSchema;
  anyOf?: TSchema[];
  properties?: Record<string, TSchema>;
}

const asIs: ReadText = (value) => value;

const readersByType: Record<string, (schema: JsonSchema) => ReadText> = {
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
  return json.type !== undefined && Object.hasOwn(readersByType, json.type)
    ? readersByType[json.type]!(json)
    : asIs;
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
