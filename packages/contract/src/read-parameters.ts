import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Validator } from 'typebox/compile';
import { fieldErrors, list, shorten } from './field-errors.ts';
import type { FieldError } from './field-errors.ts';
import { placesOf, wireNameOf } from './operation.ts';
import type { Operation, Place } from './operation.ts';
import { clientIdParameter, userIdParameter } from './operations/parameters.ts';
import { textReader } from './query-text.ts';
import type { ReadText } from './query-text.ts';

/** What an HTTP call brings, as it was parsed. */
export interface CallSource {
  query?: unknown;
  body?: unknown;
}

/**
 * A call's parameters, or what is wrong with them. `parameters` are what counts of what the caller gave, by the
 * callers' names; `wire` is what the command's frame carries: modules' names, defaults filled in. Both hold a
 * given `userId`, neither `clientId`.
 */
export type ParameterReading =
  | { ok: true; parameters: Record<string, unknown>; wire: Record<string, unknown> }
  | { ok: false; errors: FieldError[] };

/**
 * Reads and checks the parameters of an HTTP call. Query strings are coerced by the schema, bodies never; where
 * both carry a parameter the body's counts. An operation's schemas are compiled at its first call.
 */
export function readParameters(operation: Operation, { query, body }: CallSource): ParameterReading {
  const reader = readerOf(operation);
  const draft: Draft = { values: {}, errors: undefined };
  take(reader, draft, query, 'query');
  if (body !== undefined) draft.fromQuery = { ...draft.values };
  take(reader, draft, body, 'body');
  return finish(reader, draft, (field) =>
    holds(body, field) ? 'body' : holds(query, field) ? 'query' : undefined,
  );
}

/** Reads and checks the parameters of a remote request: one object, JSON values, whatever their place in HTTP. */
export function readPayload(operation: Operation, payload: unknown): ParameterReading {
  const reader = readerOf(operation);
  const draft: Draft = { values: {}, errors: undefined };
  take(reader, draft, payload ?? undefined, 'payload');
  return finish(reader, draft, () => undefined);
}

interface Field {
  name: string;
  schema: TSchema;
  wireName: string;
  places: readonly Place[];
  fallback: unknown;
  readText: ReadText;
}

/** What is worked out once for each operation. */
interface Reader {
  operation: Operation;
  fields: readonly Field[];
  /** Fields by each name that a caller may write. */
  byName: ReadonlyMap<string, Field>;
  renamed: readonly Field[];
  /** Fields whose schemas leave the values inside to the world. */
  open: readonly Field[];
  validator: Validator;
}

interface Draft {
  values: Record<string, unknown>;
  /** What the query gave, where a body may hide parts of it. */
  fromQuery?: Record<string, unknown>;
  errors: FieldError[] | undefined;
}

const maxErrors = 20;
const maxDepth = 32;
const bothPlaces: readonly Place[] = ['query', 'body'];
const readers = new WeakMap<Operation, Reader>();

function readerOf(operation: Operation): Reader {
  let reader = readers.get(operation);
  if (!reader) readers.set(operation, (reader = createReader(operation)));
  return reader;
}

function createReader(operation: Operation): Reader {
  const field = (name: string, schema: TSchema, places: readonly Place[]): Field => ({
    name,
    schema,
    wireName: wireNameOf(name, schema),
    places,
    fallback: (schema as { default?: unknown }).default,
    readText: textReader(schema),
  });
  const fields = [
    field('clientId', clientIdParameter, bothPlaces),
    field('userId', userIdParameter, bothPlaces),
    ...Object.entries(operation.parameters).map(([name, schema]) =>
      field(name, schema, placesOf(operation, schema)),
    ),
  ];
  return {
    operation,
    fields,
    byName: new Map(fields.flatMap((each) => [[each.wireName, each] as const, [each.name, each] as const])),
    renamed: fields.filter(({ name, wireName }) => name !== wireName),
    open: fields.filter(({ schema }) => 'patternProperties' in schema),
    validator: Compile(
      Type.Object({ clientId: clientIdParameter, userId: userIdParameter, ...operation.parameters }),
    ),
  };
}

function take(reader: Reader, draft: Draft, source: unknown, place: Place | 'payload'): void {
  if (source === undefined) return;
  if (typeof source !== 'object' || source === null || Array.isArray(source)) {
    refuse(draft, place, place, 'must be a JSON object');
    return;
  }
  const given = source as Record<string, unknown>;
  for (const name of Object.keys(given)) {
    const field = reader.byName.get(name);
    if (!field)
      refuse(draft, shorten(name), place, `is unknown; known are ${list([...reader.byName.keys()])}`);
    else if (place !== 'payload' && !field.places.includes(place))
      refuse(draft, name, place, `belongs in the ${field.places[0] === 'body' ? 'body' : 'query string'}`);
    else if (given[name] !== undefined)
      draft.values[field.name] = place === 'query' ? field.readText(given[name]) : given[name];
  }
  for (const { name, wireName } of reader.renamed)
    if (differ(given, name, wireName))
      refuse(draft, wireName, place, `must equal \`${name}\`: they are two names of one parameter`);
}

function finish(
  reader: Reader,
  draft: Draft,
  placeOf: (field: Field) => Place | undefined,
): ParameterReading {
  const { operation, fields, open, validator } = reader;
  const { values } = draft;
  if (!validator.Check(values))
    for (const { field: path, message } of fieldErrors(validator, values)) {
      const field = fields.find(({ name }) => path === name || path.startsWith(`${name}.`));
      refuse(draft, path, field && placeOf(field), message);
    }
  for (const { name } of open)
    if (isDeeper(values[name], maxDepth)) refuse(draft, name, undefined, 'is nested too deep');
  checkHidden(reader, draft);
  identify(operation, draft);
  if (draft.errors) return { ok: false, errors: draft.errors };

  const parameters: Record<string, unknown> = {};
  const wire: Record<string, unknown> = {};
  for (const { name, wireName, fallback } of fields) {
    if (name === 'clientId') continue;
    const value = values[name];
    if (value !== undefined) parameters[name] = wire[wireName] = value;
    else if (fallback !== undefined) wire[wireName] = fallback;
  }
  return { ok: true, parameters, wire };
}

/** A value of the query that the body's hides reaches nobody; a wrong one is told all the same. */
function checkHidden({ fields, validator }: Reader, draft: Draft): void {
  const { fromQuery, values } = draft;
  if (!fromQuery) return;
  const hidden = fields.filter(({ name }) => name in fromQuery && fromQuery[name] !== values[name]);
  if (hidden.length === 0) return;
  const asked = { ...values, ...fromQuery };
  if (validator.Check(asked)) return;
  for (const { field: path, message } of fieldErrors(validator, asked))
    if (hidden.some(({ name }) => path === name || path.startsWith(`${name}.`)))
      refuse(draft, path, 'query', message);
}

/** The operation's rules over several parameters: what identifies, what is preferred, what is needed. */
function identify({ identifiedBy, prefers, needsOneOf }: Operation, draft: Draft): void {
  for (const group of identifiedBy ?? [])
    if (!keepFirst(group, draft.values))
      refuse(draft, group[0]!, undefined, `is missing: give one of ${list(group)}`);
  for (const group of prefers ?? []) keepFirst(group, draft.values);
  if (needsOneOf && !needsOneOf.some((name) => isGiven(draft.values[name])))
    refuse(draft, needsOneOf[0]!, undefined, `is missing: give at least one of ${list(needsOneOf)}`);
}

/** Drops all but the first of a group that is given; false when none is. */
function keepFirst(group: readonly string[], values: Record<string, unknown>): boolean {
  let found = false;
  for (const name of group)
    if (found) values[name] = undefined;
    else found = isGiven(values[name]);
  return found;
}

/** A flag that is off, like `selected: false`, points at nothing. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false;
}

function refuse(draft: Draft, field: string, place: Place | 'payload' | undefined, message: string): void {
  const errors = (draft.errors ??= []);
  if (errors.length >= maxErrors || errors.some((error) => error.field === field)) return;
  errors.push(place === 'query' || place === 'body' ? { field, place, message } : { field, message });
}

function holds(source: unknown, { name, wireName }: Field): boolean {
  return (
    typeof source === 'object' &&
    source !== null &&
    (Object.hasOwn(source, name) || Object.hasOwn(source, wireName))
  );
}

/** Whether both names are given and say different things; elements are compared one by one, nothing deeper. */
function differ(given: Record<string, unknown>, name: string, wireName: string): boolean {
  if (!Object.hasOwn(given, name) || !Object.hasOwn(given, wireName)) return false;
  const [a, b] = [given[name], given[wireName]];
  if (!Array.isArray(a) || !Array.isArray(b)) return a !== b;
  return a.length !== b.length || a.some((element, index) => element !== b[index]);
}

/** Stops at the limit, so that hostile nesting costs nothing; printing it as JSON would overflow the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
