import { isDeepStrictEqual } from 'node:util';

/** The headers of answers, by their names. */
export const responseHeaders = {
  'x-request-id': text('The id of this request in the relay’s log; problems repeat it as `traceId`.'),
  'x-caller-request-id': text(
    'The caller’s own `x-request-id` (1 to 128 letters, digits and `._:-`), which stands beside the relay’s in its log.',
  ),
  'retry-after': whole('Seconds after which the call may be repeated.'),
  'ratelimit-limit': whole('Requests that the limit allows in its span of time.'),
  'ratelimit-remaining': whole('Requests that are left of it.'),
  'ratelimit-reset': whole('Seconds until the limit is whole again.'),
  'content-disposition': text('The file’s name, where the world gave one.'),
};

type HeaderName = keyof typeof responseHeaders;
type Json = Record<string, unknown>;

interface Described {
  requestBody?: { required?: boolean; content: Record<string, { schema?: BodySchema }> };
  responses?: Record<string, { headers?: Json; content?: Json }>;
}

interface BodySchema {
  required?: string[];
  minProperties?: number;
  anyOf?: unknown;
  allOf?: unknown;
}

/**
 * Adds to the collected document what no single route says: the headers of each answer, whether a body may be left
 * out, and a name for each schema that has a title. Throws where two schemas of one title differ.
 */
export function completeDocument(document: Json): Json {
  const {
    paths = {},
    components = {},
    ...rest
  } = document as {
    paths?: Record<string, Record<string, Described>>;
    components?: { schemas?: Json };
  };
  for (const entry of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    addHeaders(entry);
    allowNoBody(entry);
  }
  const named: Json = {};
  const { schemas = {}, ...others } = components;
  const kept = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, nameSchemas(schema, named)]),
  );
  const shortPaths = nameSchemas(paths, named);
  return { ...rest, paths: shortPaths, components: { ...others, schemas: { ...kept, ...named } } };
}

function addHeaders({ responses = {} }: Described): void {
  const isLimited = Object.hasOwn(responses, '429');
  for (const [status, response] of Object.entries(responses)) {
    const names: HeaderName[] = ['x-request-id', 'x-caller-request-id'];
    if (isLimited && (status === '200' || status === '429'))
      names.push('ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset');
    if (status === '429' || status === '503') names.push('retry-after');
    if (response.content && Object.hasOwn(response.content, '*/*')) names.push('content-disposition');
    const headers = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
    response.headers = { ...(Object.fromEntries(headers) as Json), ...response.headers };
  }
}

/** The relay reads a missing body as an empty object. */
function allowNoBody({ requestBody }: Described): void {
  const schema = requestBody?.content['application/json']?.schema;
  if (!requestBody || !schema) return;
  const needs = (schema.required?.length ?? 0) + (schema.minProperties ?? 0);
  if (needs === 0 && !schema.anyOf && !schema.allOf) requestBody.required = false;
}

/** What stands under these is data of the caller's or the world's, in which a title is no schema's name. */
const data = new Set(['example', 'examples', 'default', 'enum', 'const']);

function nameSchemas(value: unknown, named: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => nameSchemas(item, named));
  if (typeof value !== 'object' || value === null) return value;
  const { title, ...schema } = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, data.has(key) ? item : nameSchemas(item, named)]),
  );
  if (typeof title !== 'string') return title === undefined ? schema : { ...schema, title };
  const known = named[title];
  if (known !== undefined && !isDeepStrictEqual(known, schema))
    throw new Error(`two schemas of the OpenAPI document are named ${title}`);
  named[title] = schema;
  return { $ref: `#/components/schemas/${title}` };
}

function text(description: string) {
  return { description, schema: { type: 'string' } } as const;
}

function whole(description: string) {
  return { description, schema: { type: 'integer', minimum: 0 } } as const;
}
