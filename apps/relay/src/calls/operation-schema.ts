import {
  alternatives,
  clientIdParameter,
  errors,
  namesOf,
  pathParameters,
  placesOf,
  plainSchema,
  refusesUnknown,
  resultSchema,
  userIdParameter,
} from '@tabletop-relay/contract';
import type { ErrorCode, Operation, Place } from '@tabletop-relay/contract';
import type { FastifySchema } from 'fastify';
import { IsOptional, Type } from 'typebox';
import type { TSchema } from 'typebox';
import { idempotencyHeader } from './idempotency-key.ts';

/** All instances of a process share them. */
const described = new WeakMap<Operation, FastifySchema>();

/** The entry of an operation in the OpenAPI document. Requests are checked by the operation's definition, not by this. */
export function operationSchema(operation: Operation): FastifySchema {
  const known = described.get(operation);
  if (known) return known;
  const schema = describeOperation(operation);
  described.set(operation, schema);
  return schema;
}

function describeOperation(operation: Operation): FastifySchema {
  const hasPath = pathParameters(operation).length > 0;
  return {
    operationId: operation.name,
    tags: [operation.group],
    summary: operation.summary,
    ...(operation.effect ? { 'x-effect': operation.effect } : {}),
    description: describe(operation),
    security: [{ apiKey: [] }],
    ...(hasPath ? { params: pick(operation, 'path', {}) } : {}),
    querystring: pick(operation, 'query', {
      clientId: clientIdParameter,
      ...(isShownIn(operation, 'userId', 'query') ? { userId: userIdParameter } : {}),
    }),
    headers: operation.kind === 'command' ? commandHeaders : clientIdHeader,
    ...(takesBody(operation) ? { body: bodySchema(operation) } : {}),
    response: { 200: answerSchema(operation), ...problemResponses(codesOf(operation)) },
    ...extensionsOf(operation),
  };
}

/** What OpenAPI has no word for, for the reference. */
const extensionsOf = ({ group, sdkName, scope, kind, timeoutMs }: Operation): object => ({
  'x-sdk-method': `${group}.${sdkName}`,
  'x-scope': scope,
  'x-kind': kind,
  'x-timeout-ms': timeoutMs,
});

/** The other place for the world’s id. */
export const clientIdHeader = Type.Object({
  'x-client-id': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description:
        'The same as `clientId`, for callers that set it once for all calls. Two that differ are refused.',
    }),
  ),
});

const commandHeaders = Type.Object({ ...clientIdHeader.properties, ...idempotencyHeader });

const file = { schema: { type: 'string', format: 'binary' } };

const form = {
  'multipart/form-data': {
    schema: { type: 'object', properties: { file: file.schema }, required: ['file'] },
  },
};

/** The body: JSON, and where the operation takes a file, also raw bytes or a form with the file. */
function bodySchema(operation: Operation): object {
  const json = {
    title: `${schemaName(operation.name)}Parameters`,
    ...pick(operation, 'body', { userId: userIdParameter }),
  };
  return operation.bodyBytes
    ? { content: { 'application/json': { schema: json }, 'application/octet-stream': file, ...form } }
    : json;
}

function answerSchema(operation: Operation): object {
  const { name, kind, resultBytes } = operation;
  const schema = { ...resultSchema(operation), title: `${schemaName(name)}Result` };
  const example = { type: `${name}-result`, requestId: `${name}_1760000000000`, ...operation.example.result };
  const content = { 'application/json': { schema, example } };
  if (resultBytes) {
    const description =
      'The file, with its own content type. Where `Accept` prefers JSON, the result as JSON.';
    return { description, content: { '*/*': file, ...content } };
  }
  const told = kind === 'query' ? 'What the world answered' : 'The world did it, and answered';
  const fields = Object.keys(operation.result.properties);
  return { description: `${told}${fields.length > 0 ? `: ${list(fields)}` : ''}.`, content };
}

/** `skill-check` and `createApiKey` as the beginning of a schema's name. */
export const schemaName = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const takesBody = (operation: Operation): boolean =>
  operation.method !== 'GET' && isShownIn(operation, 'userId', 'body');

/**
 * The document shows a parameter once, where the SDK sends it, though the relay reads it from the query and the body. A
 * DELETE shows the query, because some proxies drop its body. Beside a raw body the rest comes in the query.
 */
function isShownIn(operation: Operation, name: string, place: Place): boolean {
  const places = placesOf(operation, name);
  if (places.length === 1 || operation.bodyBytes) return places.includes(place);
  return place === (operation.method === 'DELETE' ? 'query' : 'body');
}

/** The parameters that are shown in a place. */
function pick(operation: Operation, place: Place, common: Record<string, TSchema>) {
  const own = Object.entries(operation.parameters).filter(([name]) => isShownIn(operation, name, place));
  const isRequired = ([name, schema]: [string, TSchema]) =>
    !IsOptional(schema) &&
    (place === 'body' || !operation.bodyBytes || placesOf(operation, name).length === 1);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries({ ...common, ...Object.fromEntries(own) }).map(([name, schema]) => [
        name,
        { ...plainSchema(schema), ...(place === 'query' && isObject(schema) ? asJson : {}) },
      ]),
    ),
    required: own.filter(isRequired).map(([name]) => name),
    ...(place === 'body'
      ? {
          ...oneOfGroups(operation),
          // All others ignore what they do not know.
          ...(refusesUnknown(operation) ? { additionalProperties: false } : {}),
          examples: [valuesIn(operation, 'body')],
        }
      : {}),
  };
}

/** The values of the example that are shown in a place. */
function valuesIn(operation: Operation, place: Place): object {
  const values = Object.entries(operation.example.parameters);
  return Object.fromEntries(values.filter(([name]) => isShownIn(operation, name, place)));
}

/** The groups of parameters of which the caller must give at least one. A flag counts only if it is true. */
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

/** Says that an object in a query string is JSON text. Without it clients would send each field as a parameter. */
const asJson = { 'x-consume': 'application/json' };

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

/** One list for all operations: the body of a GET is read too, where one arrives. */
const errorCodes: readonly ErrorCode[] = [
  'invalid_request', 'client_required', 'key_missing', 'key_invalid', 'key_expired', 'scope_missing',
  'rotation_required', 'account_disabled', 'paused', 'acting_user_fixed', 'acting_user_unchecked', 'client_not_found', 'client_offline',
  'payload_too_large', 'unsupported_media_type',
  'operation_failed', 'rate_limited', 'monthly_limit_reached', 'client_bad_reply', 'client_lost', 'overloaded',
  'unavailable', 'client_timeout',
]; // prettier-ignore

const idempotencyCodes: readonly ErrorCode[] = [
  'idempotency_running', 'already_done', 'outcome_unknown', 'idempotency_key_reused',
]; // prettier-ignore

const codesOf = ({ kind }: Operation): readonly ErrorCode[] =>
  kind === 'command' ? [...errorCodes, ...idempotencyCodes] : errorCodes;

/** One response per status, with the error codes that it may have. */
export function problemResponses(codes: readonly ErrorCode[]): Record<number, unknown> {
  const byStatus = Map.groupBy(codes, (code) => errors[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\`: ${errors[code].title}`).join('. '),
        content: {
          'application/problem+json': {
            schema: { $ref: 'Problem#' },
            examples: Object.fromEntries(
              ofStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  );
}
