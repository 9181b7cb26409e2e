import { fieldErrors, list, shorten } from '../errors/field-errors.ts';
import { identify } from './identify.ts';
import { readerOf } from './operation-reader.ts';
import type { Field, OperationReader } from './operation-reader.ts';
import type { Operation, Place } from '../operations/operation.ts';
import type { FieldError } from '../errors/problem.ts';

/** The parts of an HTTP call that parameters may come from, as they were parsed. */
export interface CallSource {
  /** The parameters of the path, decoded. */
  path?: unknown;
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
 * Reads and checks the parameters of an HTTP call. Paths and query strings are coerced by the schema, bodies never;
 * where query and body both carry a parameter the body's counts. An operation's schemas are compiled at its first call.
 */
export function readParameters(operation: Operation, { path, query, body }: CallSource): ParameterReading {
  const reader = readerOf(operation);
  const draft: Draft = { values: {}, errors: undefined };
  take(reader, draft, path, 'path');
  take(reader, draft, query, 'query');
  if (body !== undefined) draft.fromQuery = { ...draft.values };
  take(reader, draft, body, 'body');
  return finish(reader, draft, (field) => {
    if (holds(path, field)) return 'path';
    if (holds(body, field)) return 'body';
    return holds(query, field) ? 'query' : undefined;
  });
}

/** Reads and checks the parameters of a remote request: one object, JSON values, whatever their place in HTTP. */
export function readPayload(operation: Operation, payload: unknown): ParameterReading {
  const reader = readerOf(operation);
  const draft: Draft = { values: {}, errors: undefined };
  take(reader, draft, payload ?? undefined, 'payload');
  return finish(reader, draft, () => undefined);
}

interface Draft {
  values: Record<string, unknown>;
  /** The values before the body's were taken, where there is a body: it may hide some of them. */
  fromQuery?: Record<string, unknown>;
  errors: FieldError[] | undefined;
}

const maxErrors = 20;
const maxDepth = 32;

const placeNames = { path: 'path', query: 'query string', body: 'body' } as const satisfies Record<
  Place,
  string
>;

function take(reader: OperationReader, draft: Draft, source: unknown, place: Place | 'payload'): void {
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
      refuse(draft, name, place, `belongs in the ${placeNames[field.places[0]!]}`);
    else if (given[name] !== undefined)
      draft.values[field.name] =
        place === 'query' || place === 'path' ? field.readText(given[name]) : given[name];
  }
  for (const { name, wireName } of reader.renamed)
    if (differ(given, name, wireName))
      refuse(draft, wireName, place, `must equal \`${name}\`: they are two names of one parameter`);
}

function finish(
  reader: OperationReader,
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
  identify(operation, values, (field, message) => refuse(draft, field, undefined, message));
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

/** The body's value counts where the query has one too. The query's is refused all the same where it is wrong. */
function checkHidden({ fields, validator }: OperationReader, draft: Draft): void {
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

function refuse(draft: Draft, field: string, place: Place | 'payload' | undefined, message: string): void {
  const errors = (draft.errors ??= []);
  if (errors.length >= maxErrors || errors.some((error) => error.field === field)) return;
  errors.push(place === undefined || place === 'payload' ? { field, message } : { field, place, message });
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
