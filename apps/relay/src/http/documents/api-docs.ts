import type { FastifyInstance } from 'fastify';

/** What `GET /api/docs` tells of one parameter. */
interface ApiParameter {
  name: string;
  location: 'path' | 'query' | 'header' | 'body';
  /** As JSON Schema names it; several with ` or ` between them. */
  type: string;
  description: string;
}

interface ApiEndpoint {
  method: string;
  /** `:name` stands for one part of the path. */
  path: string;
  description: string;
  /** `apiKey`, `session` or `none`. */
  authentication: string;
  /** The scope that the key must hold. */
  scope?: string;
  requiredParameters: ApiParameter[];
  optionalParameters: ApiParameter[];
}

/** All endpoints in a plain list, for programs and people to whom the OpenAPI document is too much. It follows from that document. */
export function apiDocs(document: ReturnType<FastifyInstance['swagger']>): { endpoints: ApiEndpoint[] } {
  const { paths = {}, components } = document as unknown as OpenApi;
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => {
      const parameters = parametersOf(entry, components.schemas);
      const only = (isRequired: boolean) =>
        parameters.filter(([, required]) => required === isRequired).map(([parameter]) => parameter);
      return {
        method: method.toUpperCase(),
        path: path.replaceAll(/{(\w+)}/g, ':$1'),
        description: entry.description ?? entry.summary,
        authentication: Object.keys(entry.security?.[0] ?? {})[0] ?? 'none',
        ...(entry['x-scope'] && { scope: entry['x-scope'] }),
        requiredParameters: only(true),
        optionalParameters: only(false),
      };
    }),
  );
  return { endpoints };
}

interface OpenApi {
  paths?: Record<string, Record<string, Entry>>;
  components: { schemas: Record<string, Schema> };
}

interface Entry {
  summary: string;
  description?: string;
  security?: object[];
  'x-scope'?: string;
  parameters?: {
    name: string;
    in: 'path' | 'query' | 'header';
    required?: boolean;
    description?: string;
    schema?: Schema;
  }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Each parameter, and whether it is required. */
function parametersOf(
  { parameters = [], requestBody }: Entry,
  schemas: Record<string, Schema>,
): [ApiParameter, boolean][] {
  const resolve = (schema: Schema): Schema => schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  const outside = parameters.map((one): [ApiParameter, boolean] => {
    const { name, in: location, required = false, schema = {} } = one;
    const description = one.description ?? schema.description ?? '';
    return [{ name, location, type: typeOf(schema, resolve), description }, required];
  });
  const { properties = {}, required = [] } = resolve(requestBody?.content['application/json']?.schema ?? {});
  const inside = Object.entries(properties).map(([name, schema]): [ApiParameter, boolean] => {
    const { description = '' } = resolve(schema);
    return [{ name, location: 'body', type: typeOf(schema, resolve), description }, required.includes(name)];
  });
  return [...outside, ...inside];
}

function typeOf(named: Schema, resolve: (schema: Schema) => Schema): string {
  const schema = resolve(named);
  if (schema.type !== undefined) return schema.type;
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeOf(one, resolve)))].join(' or ');
  return schema.enum ? 'string' : 'any';
}
