import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { Problem, asyncApi, endpointGroups, operationGroups, scopes } from '@tabletop-relay/contract';
import type { EndpointGroup, OperationGroup } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { prepareDocument } from './prepared-document.ts';
import type { PreparedDocument } from './prepared-document.ts';

export interface OpenApiOptions {
  version: string;
  publicUrlOf(request: FastifyRequest): string;
}

/** Collects the routes into an OpenAPI 3.1 document: to be registered before them. */
export async function registerOpenApi(app: FastifyInstance, { version }: OpenApiOptions): Promise<void> {
  app.addSchema(Problem);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tabletop Relay',
        version,
        description:
          'Calls to virtual tabletops. A call with an API key goes down the WebSocket of the world that `clientId` names, and the world’s answer is the response. Errors are problem documents; `/errors` explains each code. No text that the account API takes may hold the character NUL.',
      },
      tags: [
        ...Object.values(operationGroups as Record<string, OperationGroup>).map(({ name, title }) => ({
          name,
          description: title,
        })),
        ...Object.entries<EndpointGroup>(endpointGroups).map(([name, { title }]) => ({
          name,
          description: title,
        })),
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-api-key',
            description: `A scoped key (or the master key). Scopes: ${Object.entries(scopes)
              .map(([name, { title }]) => `\`${name}\` (${title})`)
              .join(', ')}.`,
          },
          session: { type: 'http', scheme: 'bearer', description: 'A dashboard session, `trs_...`.' },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json['$id'] === 'string' ? json['$id'] : `def-${index}`,
    },
    transform: ({ schema, url, route }) => ({ schema: route.config?.openApi ?? schema, url }),
  });
}

/**
 * The page's own files and this relay's API, and the one style attribute that Swagger UI writes. Unlike the
 * plug-in's own policy it does not ask for https: a relay in a home network has none.
 */
const docsPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': ["'self'", "'unsafe-hashes'", "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='"],
  'img-src': ["'self'", 'data:'],
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The documents and the page to try the calls at. */
export async function registerDocs(
  app: FastifyInstance,
  { version, publicUrlOf }: OpenApiOptions,
): Promise<void> {
  const json = 'application/json; charset=utf-8';
  const openApi = once(() => prepareDocument(JSON.stringify(app.swagger()), json));
  const openApiYaml = once(() =>
    prepareDocument(app.swagger({ yaml: true }), 'application/yaml; charset=utf-8'),
  );
  // By address: without PUBLIC_URL a document names the loopback host that it was asked for at.
  const asyncApis = new LRUCache<string, PreparedDocument>({
    max: 8,
    memoMethod: (url) => prepareDocument(JSON.stringify(asyncApi({ version, url })), json),
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: docsPolicy,
    uiConfig: {
      // Without the bar on top that names another product and asks for an address.
      layout: 'BaseLayout',
      // With all groups open Swagger UI stops in the middle of its list above some 120 operations.
      docExpansion: 'none',
      tryItOutEnabled: true,
      // A key that was typed in is gone with the page: nobody finds it in the browser later.
      persistAuthorization: false,
      displayRequestDuration: true,
    },
    theme: { title: 'Tabletop Relay API' },
    uiHooks: {
      // The plug-in would write its copies of the document anew for each request.
      onRequest: (request, reply, done) => {
        const prepared = { '/docs/json': openApi, '/docs/yaml': openApiYaml }[
          String(request.routeOptions.url)
        ];
        if (prepared) prepared().send(request, reply).catch(done);
        else done();
      },
    },
  });
  const options = { schema: { hide: true }, config: { anyOrigin: true } };
  app.get('/openapi.json', options, (request, reply) => openApi().send(request, reply));
  app.get('/asyncapi.json', options, (request, reply) =>
    asyncApis.memo(publicUrlOf(request)).send(request, reply),
  );
}

/** The document is known when all routes are, so it is made at its first use. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
