import { call } from '@tabletop-relay/testing/scenes';

/** What tests read of an OpenAPI document. */
export interface OpenApi {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Described>>;
  tags: { name: string }[];
  components: {
    schemas: Record<string, object>;
    securitySchemes: Record<string, object>;
    examples: Record<string, object>;
  };
}

/** One operation of it. */
export interface Described {
  operationId: string;
  tags: string[];
  security: object[];
  parameters?: { name: string; in: string; required?: boolean; schema?: object; content?: object }[];
  requestBody?: {
    required?: boolean;
    content: {
      'application/json': {
        schema: {
          properties: Record<string, object>;
          required?: string[];
          additionalProperties?: boolean;
        };
        example?: unknown;
      };
    };
  };
  responses: Record<
    string,
    { description: string; headers: object; content: Record<string, { schema: object; example?: unknown }> }
  >;
}

/** The document of the relay at this address, with each reference replaced by what it names. */
export async function readOpenApi(url: string): Promise<OpenApi> {
  const { body } = await call(url, 'GET', '/openapi.json');
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as { $ref?: string };
    if ($ref !== undefined) return { ...(resolve(target(body, $ref)) as object), ...rest };
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]));
  };
  return resolve(body) as OpenApi;
}

function target(document: unknown, reference: string): unknown {
  const names = reference.replace('#/', '').split('/');
  return names.reduce((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], document);
}
