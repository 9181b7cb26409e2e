import { fieldErrors, shorten, wholeFault } from '../errors/field-errors.ts';
import { alternatives, namesOf } from '../operations/operation-definition.ts';
import type { Alternative, Fields } from '../operations/operation-definition.ts';
import { readerOf } from './operation-reader.ts';
import type { Field, OperationReader } from './operation-reader.ts';
import { faultOfUnknown } from './unknown-name.ts';
import type { Operation, Place } from '../operations/operation.ts';
import type { FieldError } from '../errors/problem.ts';
import type { Scope } from '../scopes.ts';

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
 * given `userId`, neither `clientId`. `ignored` are the names that were given and do not count,
 * each once and as it was written, and those whose number was cut.
 */
export type ParameterReading =
  | {
      ok: true;
      parameters: Record<string, unknown>;
      wire: Record<string, unknown>;
      ignored: readonly string[];
    }
  | { ok: false; errors: FieldError[] };

/**
 * Reads and checks the parameters of an HTTP call. Where query and body both carry a parameter the body's counts, but what
 * narrows a call may not differ. An operation's schemas are compiled at its first call.
 */
export function readParameters(operation: Operation, { path, query, body }: CallSource): ParameterReading {
  const reader = readerOf(operation);
  const draft: Draft = { values: {}, errors: undefined, ignored: undefined, unknown: 0 };
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

/** Reads and checks the parameters of a remote request: one object, whatever their place in HTTP. */
export function readPayload(operation: Operation, payload: unknown): ParameterReading {
  const reader = readerOf(operation);
  const draft: Draft = { values: {}, errors: undefined, ignored: undefined, unknown: 0 };
  take(reader, draft, payload ?? undefined, 'payload');
  return finish(reader, draft, () => undefined);
}

/** What the relay writes in the head of a frame. No value of a caller may take its place. */
const headFields = ['type', 'requestId', 'traceparent', 'caller', 'idempotency'];

/** The fields of the command beside its head: the checked parameters, and what the literal makes of them. */
export function commandFields(
  operation: Operation,
  wire: Fields,
  caller: { readonly scopes: Iterable<Scope> },
): Fields {
  // Few literals ask for the caller, and copying the scopes of a broad key takes as long as the rest.
  const fields = operation.adaptCommand?.(wire, { scopes: [...caller.scopes] }) ?? wire;
  const taken = headFields.find((name) => name in fields);
  if (taken !== undefined) throw new Error(`The operation ${operation.name} would overwrite ${taken}`);
  return fields;
}

interface Draft {
  values: Record<string, unknown>;
  /** The values before the body's were taken, where there is a body: it may hide some of them. */
  fromQuery?: Record<string, unknown>;
  errors: FieldError[] | undefined;
  ignored: Set<string> | undefined;
  /** Names that were looked at and are not known. */
  unknown: number;
}

const maxErrors = 20;

/** No program sends as many by mistake, and each is compared with all that the operation knows. */
const maxUnknown = 100;

const noNames: readonly string[] = [];

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
    if (!field) {
      if (++draft.unknown > maxUnknown)
        return refuse(draft, place, place, `holds more than ${maxUnknown} names that are unknown`);
      takeUnknown(reader, draft, name, place);
    } else if (place !== 'payload' && !field.places.includes(place))
      refuse(draft, name, place, `belongs in the ${placeNames[field.places[0]!]}`);
    else if (given[name] !== undefined)
      draft.values[field.name] =
        place === 'query' || place === 'path' ? field.readText(given[name]) : given[name];
  }
  for (const field of reader.renamed) refuseTwoNames(draft, given, field, place);
}

function takeUnknown(reader: OperationReader, draft: Draft, name: string, place: Place | 'payload'): void {
  const fault = faultOfUnknown(reader, name);
  if (fault) refuse(draft, shorten(name), place, fault);
  else (draft.ignored ??= new Set()).add(name);
}

function refuseTwoNames(draft: Draft, given: object, { names }: Field, place: Place | 'payload'): void {
  let first: string | undefined;
  for (const name of names) {
    if (!Object.hasOwn(given, name)) continue;
    const values = given as Record<string, unknown>;
    if (first === undefined) first = name;
    else if (!isSame(values[first], values[name]))
      refuse(draft, name, place, `must equal \`${first}\`: they are two names of one parameter`);
  }
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
    const fault = faultOfShape(values[name]);
    if (fault) return { ok: false, errors: [{ field: name, message: fault }] };
  }
  if (isFull(draft)) return { ok: false, errors: draft.errors };
  if (!validator.Check(values)) {
    readAllLeniently(reader, draft);
    if (!validator.Check(values))
      for (const { path, field, message } of faultsOf(reader, values))
        refuse(draft, path, field && placeOf(field), message);
  }
  checkHidden(reader, draft);
  identify(operation, values, (field, message) => refuse(draft, field, undefined, message));
  if (draft.errors) return { ok: false, errors: draft.errors };

  const parameters: Record<string, unknown> = {};
  const wire: Record<string, unknown> = {};
  for (const { name, wireName, fallback } of fields) {
    if (name === 'clientId') continue;
    const value = values[name];
    if (value !== undefined) parameters[name] = value;
    if (wireName === undefined) continue;
    if (value !== undefined) wire[wireName] = value;
    else if (fallback !== undefined) wire[wireName] = fallback;
  }
  return { ok: true, parameters, wire, ignored: draft.ignored ? [...draft.ignored] : noNames };
}

function readAllLeniently({ fields }: OperationReader, draft: Draft): void {
  const { values, fromQuery } = draft;
  for (const field of fields) {
    const { name } = field;
    const value = values[name];
    const read = readLeniently(field, value);
    if (read === value) continue;
    if (exceeds(field, field.readText(value))) (draft.ignored ??= new Set()).add(name);
    // What a body says is none hides nothing of the query.
    const counts = read ?? (fromQuery && readLeniently(field, fromQuery[name]));
    if (counts === undefined) delete values[name];
    else values[name] = counts;
  }
}

/**
 * A value that its schema refuses, as programs may have meant it: a number or a list as text, `null` and an empty text for
 * none. Undefined where there is none; the value as it was where nothing of that helps.
 */
function readLeniently(field: Field, value: unknown): unknown {
  if (value === undefined || field.takes(value)) return value;
  if (value === null) return field.takesNull ? undefined : value;
  if (value === '') return field.takesEmpty ? undefined : value;
  const read = field.readText(value);
  if (exceeds(field, read)) return field.most;
  return faultOfShape(read) ? value : read;
}

/** Whether a number is above the most that there may be, and is cut. */
const exceeds = ({ most }: Field, value: unknown): boolean =>
  most !== undefined && typeof value === 'number' && value > most;

/**
 * The body's value counts where the query has one too. The query's is refused all the same where it is wrong, and where it
 * narrows the call and the body's is another: which of the two was meant is not to be guessed.
 */
function checkHidden(reader: OperationReader, draft: Draft): void {
  const { fields, validator } = reader;
  const { fromQuery, values } = draft;
  if (!fromQuery) return;
  const asked = { ...values };
  const hidden = fields.filter((field) => {
    const { name, narrows } = field;
    if (fromQuery[name] === undefined || fromQuery[name] === values[name]) return false;
    asked[name] = readLeniently(field, fromQuery[name]);
    if (narrows && !isSame(asked[name], values[name]))
      refuse(draft, name, 'body', 'stands in the query too, and the two differ');
    return true;
  });
  if (hidden.length === 0 || validator.Check(asked)) return;
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

/** Whether as many faults were found as are told. */
const isFull = (draft: Draft): draft is Draft & { errors: FieldError[] } =>
  (draft.errors?.length ?? 0) >= maxErrors;

function refuse(draft: Draft, field: string, place: Place | 'payload' | undefined, message: string): void {
  const errors = (draft.errors ??= []);
  if (isFull(draft) || errors.some((error) => error.field === field)) return;
  errors.push(place === undefined || place === 'payload' ? { field, message } : { field, place, message });
}

const holds = (source: unknown, { names }: Field): boolean =>
  typeof source === 'object' && source !== null && names.some((name) => Object.hasOwn(source, name));

/** How deep a value may be nested. */
const maxDepth = 32;

/** Of one object. No document of a tabletop comes near it, and ten times as many take longer than a turn may. */
const maxEntries = 10_000;

/**
 * What is wrong with the shape of a value, whatever its schema. It stops at the limits, so that hostile nesting costs
 * nothing: printing it as JSON would overflow the stack.
 */
function faultOfShape(value: unknown, levels = maxDepth): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return 'is nested too deep';
  const isList = Array.isArray(value);
  const entries = isList ? (value as unknown[]) : Object.values(value);
  if (!isList && entries.length > maxEntries) return `holds an object with more than ${maxEntries} entries`;
  // A body's parser refuses it. Here it stood in a text, which nothing has parsed before.
  if (!isList && Object.hasOwn(value, '__proto__')) return 'holds a field of the name `__proto__`';
  for (const entry of entries) {
    const fault = faultOfShape(entry, levels - 1);
    if (fault) return fault;
  }
  return undefined;
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

/** Whether two values of one parameter say the same; elements of lists are compared one by one, nothing deeper. */
function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((element, index) => element === b[index]);
}

/** The rules of an operation over several of its parameters. */
type Rules = Pick<Operation, 'identifiedBy' | 'prefers' | 'needsOneOf' | 'clearsBy'>;

/**
 * Applies the rules to values: of several alternatives the first that is given stays, and the others are removed.
 * Calls `refuse` with the field and the message for each rule that nothing fulfils.
 */
function identify(
  { identifiedBy = [], prefers = [], needsOneOf, clearsBy }: Rules,
  values: Record<string, unknown>,
  refuse: (field: string, message: string) => void,
): void {
  for (const group of identifiedBy)
    if (!keepFirst(group, values))
      refuse(namesOf(group[0]!)[0]!, `is missing: give one of ${alternatives(group)}`);
  for (const group of prefers) keepFirst(group, values);
  const clears = clearsBy && values[clearsBy.flag] === true && Array.isArray(values[clearsBy.list]);
  if (needsOneOf && !clears && !needsOneOf.some((name) => isGiven(values[name])))
    refuse(needsOneOf[0]!, `is missing: give at least one of ${alternatives(needsOneOf)}`);
}

/** Removes all but the first alternative of a group that is wholly given; false when none is. */
function keepFirst(group: readonly Alternative[], values: Record<string, unknown>): boolean {
  const kept = group.find((alternative) => namesOf(alternative).every((name) => isGiven(values[name])));
  if (kept === undefined) return false;
  for (const name of group.flatMap(namesOf)) if (!namesOf(kept).includes(name)) values[name] = undefined;
  return true;
}

/** A flag that is off, like `selected: false`, identifies nothing, and neither does an empty list. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
