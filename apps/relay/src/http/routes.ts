import type { Cluster } from '@tabletop-relay/cluster';
import type { Quotas } from '@tabletop-relay/limits';
import type { FastifyInstance, onRequestHookHandler, RouteOptions } from 'fastify';
import { announcesBody } from '../calls/request-bytes.ts';
import { registerOperationRoutes } from '../calls/operation-routes.ts';
import type { OperationRoutesDeps } from '../calls/operation-routes.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';
import type { Authenticate, Principal } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import type { AccountLimits } from '../limits/limits.ts';
import { registerMcp } from '../mcp/mcp-routes.ts';
import type { McpDeps } from '../mcp/mcp-routes.ts';
import { registerRateLimit } from '../limits/rate-limit.ts';
import { invalidFields } from '../problem.ts';
import type { StreamsRoom } from '../streams/streams-room.ts';
import { answerPreflights } from './any-origin.ts';
import { readAnyText, readJsonBodies } from '../calls/bodies/read-json.ts';
import { limitPendingBodies } from './bodies/pending-bodies.ts';
import { registerDashboard } from './documents/dashboard.ts';
import { registerModuleFiles } from './documents/module-files.ts';
import type { ModuleFilesOptions } from './documents/module-files.ts';
import { registerSdkFiles } from './documents/sdk-files.ts';
import { registerDocuments, registerOpenApi } from './documents/open-api.ts';
import { registerEndpoints } from './endpoints/endpoint-routes.ts';
import type { EndpointRoutesDeps } from './endpoints/endpoint-routes.ts';
import type { HandleError } from './error-handler.ts';
import type { HttpSettings } from './http-settings.ts';
import {
  addStandingHeaders,
  answerUnmatched,
  refuseForeignHost,
  refuseUnreadableQueries,
  refuseWrongHeads,
} from './heads.ts';
import { compressAnswers } from './compress-answers.ts';
import { collectPaths } from './paths.ts';
import { registerProbes } from './probes.ts';
import type { ProbeDeps } from './probes.ts';
import type { PublicUrlOf } from './public-url.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { traceCalls } from './trace-calls.ts';

export interface ServerParts {
  config: HttpSettings;
  version: string;
  /** Told of each route as it is added. */
  onRoute: ((route: RouteOptions) => void) | undefined;
  handleError: HandleError;
  quotas: Quotas;
  draining: AbortSignal;
}

/**
 * Adds the hooks and plugins that every request passes, in this order. Fastify applies them only to routes that are added
 * later.
 */
export async function prepareServer(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const { config, handleError, onRoute, draining } = parts;
  const paths = collectPaths(app);
  addStandingHeaders(app, { config, paths });
  const preflightHeaders = answerPreflights(app);
  compressAnswers(app, config);
  refuseWrongHeads(app);
  readJsonBodies(app);
  limitPendingBodies(app, config);
  app.addHook('onRequest', (_request, reply, done) => {
    // A caller that keeps its connection would come back to an instance that is leaving.
    if (draining.aborted) void reply.header('connection', 'close');
    done();
  });
  app.decorateRequest('step', undefined);
  app.setErrorHandler(handleError);
  if (config.publicUrl === undefined)
    app.addHook('onRequest', (request) => Promise.resolve(refuseForeignHost(request)));
  if (onRoute) app.addHook('onRoute', onRoute);
  answerUnmatched(app, { paths, preflightHeaders });
  await registerOpenApi(app, parts.version);
  await registerRateLimit(app, parts.quotas);
}

export interface PageParts {
  cluster: Cluster;
  version: string;
  /** Folder of the dashboard's build; the workspace's own unless named. */
  dashboardRoot?: string;
  publicUrlOf: PublicUrlOf;
  limits: Pick<AccountLimits, 'documents'>;
  isReady(): boolean;
  postgresHealth: ProbeDeps['postgresHealth'];
  noteDownload: ModuleFilesOptions['noteDownload'];
}

/** Adds what people and orchestrators read: probes, the API's documents, the SDKs' packages, the module, the pages. */
export async function registerPages(app: FastifyInstance, parts: PageParts): Promise<void> {
  const { cluster, version, dashboardRoot, publicUrlOf, limits, isReady, postgresHealth, noteDownload } =
    parts;
  registerProbes(app, { cluster, isReady, postgresHealth });
  registerDocuments(app, { version, publicUrlOf, limit: limits.documents });
  await registerSdkFiles(app);
  registerModuleFiles(app, { publicUrlOf, limit: limits.documents, noteDownload });
  await registerDashboard(app, publicUrlOf, dashboardRoot);
}

export interface RouteParts {
  endpoints: readonly ServedEndpoint[];
  operations: OperationRoutesDeps;
  limits: Pick<CallLimits, 'spendMinute'>;
  streams: Pick<StreamsRoom, 'register'>;
  mcp: McpDeps;
  endpointDeps: EndpointRoutesDeps;
  authenticate: Authenticate;
  tracing: Tracing | undefined;
}

/** Operations and endpoints that take an API key stand behind its check and its limit; the others stand apart. */
export async function registerRoutes(app: FastifyInstance, parts: RouteParts): Promise<void> {
  const { endpoints, endpointDeps, tracing } = parts;
  await app.register((scope, _options, done) => {
    scope.addHook('onRequest', refuseBody);
    refuseUnreadableQueries(scope);
    parts.streams.register(scope);
    done();
  });
  await app.register((scope, _options, done) => {
    refuseUnreadableQueries(scope);
    registerMcp(scope, parts.mcp);
    done();
  });
  const takesKey = ({ endpoint }: ServedEndpoint) => endpoint.auth === 'apiKey';
  await app.register(async (scope) => {
    readAnyText(scope);
    refuseUnreadableQueries(scope);
    requireApiKey(scope, parts.authenticate);
    limitCallsPerMinute(scope, parts.limits);
    if (tracing) traceCalls(scope, tracing);
    registerOperationRoutes(scope, parts.operations);
    await registerEndpoints(scope, endpoints.filter(takesKey), endpointDeps);
  });
  await app.register(async (scope) => {
    refuseUnreadableQueries(scope);
    await registerEndpoints(
      scope,
      endpoints.filter((one) => !takesKey(one)),
      endpointDeps,
    );
  });
}

/** A filter that stands in the body of a stream's GET would be left out, and the stream be wider than was asked for. */
const refuseBody: onRequestHookHandler = ({ headers }, _reply, done) => {
  const message = 'must be empty: the world and the filters of a stream stand in the query';
  done(announcesBody(headers) ? invalidFields([{ field: 'body', message }]) : undefined);
};

/** Checks the API key of every route in this scope before its body is read. */
function requireApiKey(app: FastifyInstance, authenticate: Authenticate): void {
  app.decorateRequest('principal', null as unknown as Principal);
  app.addHook('onRequest', async (request) => {
    request.principal = await authenticate(request.headers['x-api-key'], request.ip, request.raw.socket);
  });
}

/** Limits the calls per minute of the key in every route of this scope before its body is read. */
function limitCallsPerMinute(app: FastifyInstance, limits: RouteParts['limits']): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(await limits.spendMinute(request.principal));
  });
}
