import { describeFaults, fieldAliases, shorten } from '@tabletop-relay/contract';
import type { SchemaFault } from '@tabletop-relay/contract';
import { Ajv } from 'ajv';
import type { ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { ProblemError, invalidFields } from '../problem.ts';

const dateTime = addFormats.default.get('date-time') as { validate(text: string): boolean };

const options = { allErrors: true, useDefaults: true, removeAdditional: false } as const;
// One for all instances of a process, as tests have them: each schema is compiled once.
const strict = new Ajv({ ...options, coerceTypes: false });
// With `strictNumbers` a limit of 1e999, coerced, would be past the look at its maximum.
const coercing = new Ajv({ ...options, coerceTypes: true, strictNumbers: false });
for (const ajv of [strict, coercing]) ajv.addFormat('date-time', isTime);

/**
 * Bodies are taken as they are; only query strings and paths, which are all text, are coerced. A refused value becomes
 * `invalid_request` in the contract's words.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = 'request' }) => {
  const validate = (httpPart === 'body' ? strict : coercing).compile(schema);
  return (value) => {
    if (validate(value)) return { value };
    const faults = (validate.errors ?? []).map(asFault);
    return { error: invalidFields(describeFaults(schema, faults, httpPart), wordsOf(value, faults)) };
  };
};

/** What programs look for where a scope is unknown. */
function wordsOf(value: unknown, faults: readonly SchemaFault[]): { error?: string } {
  for (const { keyword, instancePath } of faults) {
    const [, field = '', index] = keyword === 'enum' ? (scopeAt.exec(instancePath) ?? []) : [];
    const named =
      index === undefined ? undefined : (value as Record<string, unknown[]>)[field]?.[Number(index)];
    if (typeof named === 'string') return { error: `Invalid scope: ${shorten(named)}` };
  }
  return {};
}

const scopeAt = /^\/(scopes|remoteScopes)\/(\d+)$/;

/** Ajv's path ends with the keyword, and it reports each missing or unknown name by itself. */
function asFault({ keyword, schemaPath, instancePath, params }: ErrorObject): SchemaFault {
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  return {
    keyword,
    instancePath,
    schemaPath: schemaPath.slice(0, schemaPath.lastIndexOf('/')),
    params: {
      requiredProperties: missingProperty === undefined ? [] : [missingProperty],
      additionalProperties: additionalProperty === undefined ? [] : [additionalProperty],
    },
  };
}

/** RFC 3339 without leap seconds, which `Date` does not have, and without years in UTC that are not four digits. */
function isTime(text: string): boolean {
  if (!dateTime.validate(text)) return false;
  const year = new Date(text).getUTCFullYear();
  return year >= 0 && year <= 9999;
}

/** No list or object of the account API has as many. Without the bound a schema would report a million elements. */
const maxEntries = 1000;
/** No schema of the account API looks deeper. */
const maxDepth = 3;

interface BodySchema {
  additionalProperties?: boolean;
  properties?: object;
}

/**
 * Refuses what no route takes: NUL, which Postgres stores in no text, and lists without end. Throws
 * `invalid_request`, and `not_found` for a path with NUL. Bodies whose schema is open are the modules', of which
 * nothing is refused: pairing keeps what can be stored.
 */
export function checkInput({ body, query, params, routeOptions }: FastifyRequest): void {
  if (Object.values(params as object).some((value) => String(value).includes('\0'))) {
    throw new ProblemError('not_found');
  }
  checkValue(query, 'querystring', maxDepth);
  const schema = routeOptions.schema?.body as BodySchema | undefined;
  if (schema?.additionalProperties === false && !routeOptions.schema?.querystring)
    refuseQuery(query, { ...schema.properties, ...fieldAliases[String(routeOptions.schema?.operationId)] });
  if (schema?.additionalProperties !== true) checkValue(body, 'body', maxDepth);
}

/**
 * Where a body is read alone, a scope or a world that narrows what it asks for would be left out of the query in silence: a
 * field of the body is refused there, and so is all that stands beside a body with a `query` of its own.
 */
function refuseQuery(query: unknown, fields: object): void {
  const errors = Object.keys(query as object)
    .filter((name) => Object.hasOwn(fields, name) || Object.hasOwn(fields, 'query'))
    .slice(0, 20)
    .map((name) => ({ field: shorten(name), place: 'query' as const, message: 'belongs in the body' }));
  if (errors.length > 0) throw invalidFields(errors);
}

function checkValue(value: unknown, field: string, depth: number): void {
  const refuse = (message: string) => invalidFields([{ field, message }]);
  if (typeof value === 'string' && value.includes('\0')) throw refuse('must not hold the character NUL');
  if (typeof value !== 'object' || value === null || depth === 0) return;
  // The length first: a million keys take their time.
  const isLong = Array.isArray(value) ? value.length > maxEntries : Object.keys(value).length > maxEntries;
  if (isLong) throw refuse(`must not have more than ${maxEntries} entries`);
  for (const [name, inner] of Object.entries(value)) {
    checkValue(inner, depth === maxDepth ? shorten(name) : `${field}.${shorten(name)}`, depth - 1);
  }
}
