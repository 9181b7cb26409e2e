import { IsOptional, Type } from 'typebox';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Validator } from 'typebox/compile';
import { placesOf, refusesUnknown, wireNameOf } from '../operations/operation.ts';
import type { ParameterOptions } from '../operations/operation-definition.ts';
import type { Operation, Place } from '../operations/operation.ts';
import { clientIdParameter, userIdParameter } from '../operations/parameters.ts';
import { namesOf } from './identify.ts';
import { isNarrowing } from './narrows.ts';
import { knownName } from './near-miss.ts';
import type { KnownName } from './near-miss.ts';
import { textReader } from './query-text.ts';
import type { ReadText } from './query-text.ts';

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
