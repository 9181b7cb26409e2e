import swagger from '@fastify/swagger';
import {
  Problem,
  asyncApi,
  endpointGroups,
  errors,
  operationGroups,
  problemExample,
  scopes,
} from '@tabletop-relay/contract';
import type { EndpointGroup, ErrorCode, OperationGroup } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Limit } from '../../limits/limits.ts';
import { countByAddress, limitRate } from '../../limits/rate-limit.ts';
import { apiDocs } from './api-docs.ts';
import { completeDocument, responseHeaders } from './complete-document.ts';
import { prepareDocument } from './prepared-document.ts';
import type { PreparedDocument } from './prepared-document.ts';

export interface DocumentOptions {
  version: string;
  publicUrlOf(request: FastifyRequest): string;
  /** Of all documents together. */
  limit: Limit;
}

/** Who calls what: programs, or the dashboard, whose endpoints refuse pages of other sites. */
const tagGroups = [
  { name: 'Operations', tags: Object.values<OperationGroup>(operationGroups).map(({ name }) => name) },
  { name: 'For programs and modules', tags: tagsWhere(true) },
  { name: 'What the dashboard uses', tags: tagsWhere(false) },
];

const extensions: object = { 'x-tagGroups': tagGroups };

function tagsWhere(isOpen: boolean): string[] {
  return Object.entries<EndpointGroup>(endpointGroups)
    .filter(([, { endpoints }]) => Object.values(endpoints).some(({ origin }) => origin === 'any') === isOpen)
    .map(([name]) => name);
}

/** One problem document for each code; the responses name those that they may be. */
const problemExamples = Object.fromEntries(
  (Object.keys(errors) as ErrorCode[]).map((code) => [
    code,
    { summary: errors[code].title, value: problemExample(code, 'https://relay.example.com') },
  ]),
);

/** Collects the routes into an OpenAPI 3.1 document: to be registered before them. */
export async function registerOpenApi(app: FastifyInstance, version: string): Promise<void> {
  app.addSchema(Problem);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tabletop Relay',
        version,
        description:
          'Calls to virtual tabletops. A call with an API key goes down the WebSocket of the world that `clientId` names, and the world’s answer is the response. A parameter that stands in a body here may come in the query too; where both have it, the body counts. Errors are problem documents; `/errors` explains each code. Answers may gain fields. No text that the account API takes may hold the character NUL.',
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
      ...extensions,
      components: {
        headers: responseHeaders,
        examples: problemExamples,
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
    transformObject: (documents) =>
      completeDocument('openapiObject' in documents ? documents.openapiObject : {}),
    transform: ({ schema, url, route }) => ({ schema: route.config?.openApi ?? schema, url }),
  });
}

/** The documents of the API and of the module socket. They name the address that they were asked for at. */
export function registerDocuments(
  app: FastifyInstance,
  { version, publicUrlOf, limit }: DocumentOptions,
): void {
  const json = 'application/json; charset=utf-8';
  const openApis = preparedByAddress((url) =>
    prepareDocument(JSON.stringify({ ...app.swagger(), servers: [{ url }] }), json),
  );
  const asyncApis = preparedByAddress((url) =>
    prepareDocument(JSON.stringify(asyncApi({ version, url })), json),
  );
  // The plain OpenAPI document has more than a megabyte: a stranger who fetches it without pause would fill the network.
  const options = {
    schema: { hide: true },
    config: { anyOrigin: true },
    onRequest: limitRate(app, countByAddress('documents', limit)),
  };
  app.get('/openapi.json', options, (request, reply) =>
    openApis.memo(publicUrlOf(request)).send(request, reply),
  );
  app.get('/asyncapi.json', options, (request, reply) =>
    asyncApis.memo(publicUrlOf(request)).send(request, reply),
  );
  let endpoints: PreparedDocument | undefined;
  app.get('/api/docs', options, (request, reply) => {
    endpoints ??= prepareDocument(JSON.stringify({ version, ...apiDocs(app.swagger()) }), json);
    return endpoints.send(request, reply);
  });
}

/** Made when somebody first asks, for then all routes are known. Without PUBLIC_URL a few loopback names share it. */
const preparedByAddress = (memoMethod: (url: string) => PreparedDocument) =>
  new LRUCache<string, PreparedDocument>({ max: 8, memoMethod });
