/** What tests read of an OpenAPI document. */
export interface OpenApi {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Described>>;
  tags: { name: string }[];
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

/** One operation of it. */
export interface Described {
  operationId: string;
  tags: string[];
  security: object[];
  parameters?: { name: string; in: string; required?: boolean; schema?: object; content?: object }[];
  requestBody?: {
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
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>;
}
