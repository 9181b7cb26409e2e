import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Validator } from 'typebox/compile';
import { placesOf, wireNameOf } from '../operations/operation.ts';
import type { ParameterOptions } from '../operations/operation-definition.ts';
import type { Operation, Place } from '../operations/operation.ts';
import { clientIdParameter, userIdParameter } from '../operations/parameters.ts';
import { textReader } from './query-text.ts';
import type { ReadText } from './query-text.ts';

/** One parameter that callers of an operation may give. */
export interface Field {
  name: string;
  schema: TSchema;
  wireName: string;
  places: readonly Place[];
  fallback: unknown;
  readText: ReadText;
  /** Whether a value of its own is right. Compiled at its first use. */
  takes(value: unknown): boolean;
}

/** Everything that reading an operation's parameters needs, worked out once. */
export interface OperationReader {
  operation: Operation;
  fields: readonly Field[];
  /** Fields by each name that a caller may write. */
  byName: ReadonlyMap<string, Field>;
  renamed: readonly Field[];
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
  const field = (name: string, schema: TSchema, places: readonly Place[]): Field => ({
    name,
    schema,
    wireName: wireNameOf(name, schema),
    places,
    fallback: (schema as { default?: unknown }).default,
    readText: textReader(schema),
    takes: lazyCheck(schema),
  });
  const fields = [
    field('clientId', clientIdParameter, bothPlaces),
    field('userId', userIdParameter, bothPlaces),
    ...Object.entries(operation.parameters).map(([name, schema]) =>
      field(name, schema, placesRead(operation, name)),
    ),
  ];
  return {
    operation,
    fields,
    byName: new Map(fields.flatMap((each) => [[each.wireName, each] as const, [each.name, each] as const])),
    renamed: fields.filter(({ name, wireName }) => name !== wireName),
    validator: Compile(
      Type.Object({ clientId: clientIdParameter, userId: userIdParameter, ...operation.parameters }),
    ),
  };
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
