import { fieldErrors, list, shorten, wholeFault } from '../errors/field-errors.ts';
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
 * where query and body both carry a parameter the body's counts, but what narrows a call may not differ. An operation's schemas are compiled at its first call.
 */
export function readParameters(operation: Operation, { path, query, body }: CallSource): ParameterReading {
  const reader = readerOf(operation);
  const draft: Draft = { values: {}, errors: undefined };
  take(reader, draft, path, 'path');
  take(reader, draft, query, 'query');
  if (body !== undefined) draft.fromQuery = { ...draft.values };
  take(reader, draft, body, 'body');
  refuseDifferent(draft, query, body);
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

/** The parameters that narrow what a call may do or whom it reaches. None of them may be left out in silence. */
export const narrowing = ['clientId', 'userId'] as const;

function refuseDifferent(draft: Draft, query: unknown, body: unknown): void {
  for (const name of narrowing) {
    const [inQuery, inBody] = [ownValue(query, name), ownValue(body, name)];
    if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody)
      refuse(draft, name, 'body', 'stands in the query too, and the two differ');
  }
}

function ownValue(source: unknown, name: string): unknown {
  if (typeof source !== 'object' || source === null || !Object.hasOwn(source, name)) return undefined;
  return (source as Record<string, unknown>)[name];
}

interface Draft {
  values: Record<string, unknown>;
  /** The values before the body's were taken, where there is a body: it may hide some of them. */
  fromQuery?: Record<string, unknown>;
  errors: FieldError[] | undefined;
}

const maxErrors = 20;
const maxDepth = 32;
/** Of one object. No document of a tabletop comes near it, and ten times as many take longer than a turn may. */
const maxEntries = 10_000;

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
    if (isFull(draft)) return;
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
  const { operation, fields, validator } = reader;
  const { values } = draft;
  // What has a wrong shape is not even given to its schema, which may take a second for it or overflow the stack.
  for (const { name } of fields) {
    const fault = faultOfShape(values[name], maxDepth);
    if (fault) return { ok: false, errors: [{ field: name, message: fault }] };
  }
  if (isFull(draft)) return { ok: false, errors: draft.errors };
  if (!validator.Check(values))
    for (const { path, field, message } of faultsOf(reader, values))
      refuse(draft, path, field && placeOf(field), message);
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
function checkHidden(reader: OperationReader, draft: Draft): void {
  const { fields, validator } = reader;
  const { fromQuery, values } = draft;
  if (!fromQuery) return;
  const hidden = fields.filter(({ name }) => name in fromQuery && fromQuery[name] !== values[name]);
  if (hidden.length === 0) return;
  const asked = { ...values, ...fromQuery };
  if (validator.Check(asked)) return;
  for (const { path, field, message } of faultsOf(reader, asked))
    if (field && hidden.includes(field)) refuse(draft, path, 'query', message);
}

interface Fault {
  path: string;
  field: Field | undefined;
  message: string;
}

/** More entries than this are not walked through to find the first wrong one: half a million take a second. */
const maxWalked = 1_000;

/** What is wrong with values that the operation refuses. Of a value with very many entries no single one is named. */
function faultsOf({ fields, validator }: OperationReader, values: Record<string, unknown>): Fault[] {
  const large = fields.filter(({ name }) => holdsMore(values[name], maxWalked));
  const small = { ...values };
  for (const { name } of large) delete small[name];
  const faults = fieldErrors(validator, small).map(({ field: path, message }) => {
    const field = fields.find(({ name }) => path === name || path.startsWith(`${name}.`));
    return { path, field, message };
  });
  return [
    ...faults.filter(({ field }) => !field || !large.includes(field)),
    ...large
      .filter(({ name, takes }) => !takes(values[name]))
      .map((field) => ({ path: field.name, field, message: wholeFault(field.schema) })),
  ];
}

/** Whether a value has more entries than this at all depths. Looks at no more of them. */
function holdsMore(value: unknown, entries: number): boolean {
  let left = entries;
  const walk = (inner: unknown): boolean => {
    if (typeof inner !== 'object' || inner === null) return false;
    const list = Array.isArray(inner) ? (inner as unknown[]) : Object.values(inner);
    left -= list.length;
    return left < 0 || list.some(walk);
  };
  return walk(value);
}

/** Whether as many faults were found as are told. */
const isFull = (draft: Draft): draft is Draft & { errors: FieldError[] } =>
  (draft.errors?.length ?? 0) >= maxErrors;

function refuse(draft: Draft, field: string, place: Place | 'payload' | undefined, message: string): void {
  const errors = (draft.errors ??= []);
  if (isFull(draft) || errors.some((error) => error.field === field)) return;
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

/**
 * What is wrong with the shape of a value, whatever its schema. It stops at the limits, so that hostile nesting costs
 * nothing: printing it as JSON would overflow the stack.
 */
function faultOfShape(value: unknown, levels: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return 'is nested too deep';
  const isList = Array.isArray(value);
  const entries = isList ? (value as unknown[]) : Object.values(value);
  if (!isList && entries.length > maxEntries) return `holds an object with more than ${maxEntries} entries`;
  for (const entry of entries) {
    const fault = faultOfShape(entry, levels - 1);
    if (fault) return fault;
  }
  return undefined;
}
