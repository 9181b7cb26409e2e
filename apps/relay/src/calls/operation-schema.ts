import {
  alternatives,
  clientIdParameter,
  errors,
  namesOf,
  pathParameters,
  placesOf,
  resultSchema,
  userIdParameter,
} from '@tabletop-relay/contract';
import type { ErrorCode, Operation, Place } from '@tabletop-relay/contract';
import type { FastifySchema } from 'fastify';
import { IsOptional } from 'typebox';
import type { TSchema } from 'typebox';

/** The entry of an operation in the OpenAPI document. The route itself checks by the definition. */
export function operationSchema(operation: Operation): FastifySchema {
  const common = { clientId: clientIdParameter, userId: userIdParameter };
  const hasPath = pathParameters(operation).length > 0;
  return {
    operationId: operation.name,
    tags: [operation.group],
    summary: operation.summary,
    description: describe(operation),
    security: [{ apiKey: [] }],
    ...(hasPath ? { params: pick(operation, 'path', {}) } : {}),
    querystring: pick(operation, 'query', common),
    ...(takesBody(operation) ? { body: bodySchema(operation) } : {}),
    response: { 200: answerSchema(operation), ...problemResponses(errorCodes(operation)) },
  };
}

const file = { schema: { type: 'string', format: 'binary' } };

/** A raw body is told beside JSON, where the operation takes one. */
function bodySchema(operation: Operation): object {
  const json = pick(operation, 'body', { userId: userIdParameter });
  return operation.bodyBytes
    ? { content: { 'application/json': { schema: json }, 'application/octet-stream': file } }
    : json;
}

function answerSchema(operation: Operation): object {
  const result = resultSchema(operation);
  if (!operation.resultBytes) return result;
  const description =
    'The file, under the content type of its kind; the result itself where `Accept` prefers JSON.';
  return { description, content: { '*/*': file, 'application/json': { schema: result } } };
}

const takesBody = ({ method }: Operation): boolean => method !== 'GET';

/** The parameters that may come from a place; required only where no other place can bring them. */
function pick(operation: Operation, place: Place, common: Record<string, TSchema>) {
  const own = Object.entries(operation.parameters).filter(([name]) =>
    placesOf(operation, name).includes(place),
  );
  const isRequired = ([name, schema]: [string, TSchema]) =>
    !IsOptional(schema) && (place === 'body' || placesOf(operation, name).length === 1);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries({ ...common, ...Object.fromEntries(own) }).map(([name, schema]) => [
        name,
        { ...plain(schema), ...(place === 'query' && isObject(schema) ? asJson : {}) },
      ]),
    ),
    required: own.filter(isRequired).map(([name]) => name),
    ...(place === 'body'
      ? {
          ...oneOfGroups(operation),
          additionalProperties: false,
          examples: [valuesIn(operation, 'body')],
        }
      : {}),
  };
}

/** The example's values that may stand in a place. */
function valuesIn(operation: Operation, place: Place): object {
  const values = Object.entries(operation.example.parameters);
  return Object.fromEntries(values.filter(([name]) => placesOf(operation, name).includes(place)));
}

/** The groups of which one parameter is needed, though no single one is: a flag counts only where it is on. */
function oneOfGroups({ identifiedBy = [], needsOneOf, parameters }: Operation): object {
  const isFlag = (name: string) => (parameters[name] as { type?: string }).type === 'boolean';
  const groups = [...identifiedBy, ...(needsOneOf ? [needsOneOf] : [])].map((group) => ({
    anyOf: group.map(namesOf).map((names) => {
      const flags = names.filter(isFlag).map((name) => [name, { const: true }]);
      return { required: names, ...(flags.length > 0 ? { properties: Object.fromEntries(flags) } : {}) };
    }),
  }));
  return groups.length > 1 ? { allOf: groups } : (groups[0] ?? {});
}

const isObject = (schema: TSchema) => 'type' in schema && schema.type === 'object';

/** An object in a query string is JSON text; without this clients spread it over parameters of its own. */
const asJson = { 'x-consume': 'application/json' };

/** JSON Schema without the annotations that only we read. */
function plain(schema: TSchema): Record<string, unknown> {
  const {
    place: _place,
    wireName: _wireName,
    ...rest
  } = JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
  return rest;
}

function describe(operation: Operation): string {
  const groups = (operation.identifiedBy ?? []).map(
    (group) => `One of ${alternatives(group)} is needed; of several the first counts.`,
  );
  const oneOf = operation.needsOneOf ? [`At least one of ${list(operation.needsOneOf)} is needed.`] : [];
  const reasons = operation.reasons?.length
    ? [`The world may refuse it with: ${list(operation.reasons)}.`]
    : [];
  return [operation.description, ...groups, ...oneOf, `Scope: \`${operation.scope}\`.`, ...reasons]
    .filter(Boolean)
    .join('\n\n');
}

const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

function errorCodes(operation: Operation): ErrorCode[] {
  return [
    'invalid_request', 'client_required', 'key_missing', 'key_invalid', 'key_expired', 'scope_missing',
    'rotation_required', 'account_disabled', 'client_not_found', 'client_offline',
    ...(takesBody(operation) ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    'operation_failed', 'rate_limited', 'monthly_limit_reached', 'client_bad_reply', 'client_lost', 'overloaded',
    'unavailable', 'client_timeout',
  ]; // prettier-ignore
}

/** One response per status, naming the codes that it may carry. */
export function problemResponses(codes: readonly ErrorCode[]): Record<number, unknown> {
  const byStatus = Map.groupBy(codes, (code) => errors[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\`: ${errors[code].title}`).join('. '),
        content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
      },
    ]),
  );
}
