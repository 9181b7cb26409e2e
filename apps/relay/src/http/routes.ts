import type { Cluster } from '@tabletop-relay/cluster';
import type { Database } from '@tabletop-relay/database';
import type { FastifyInstance } from 'fastify';
import { registerOperationRoutes } from '../calls/operation-routes.ts';
import type { OperationRoutesDeps } from '../calls/operation-routes.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';
import type { Authenticate } from '../keys/authenticate.ts';
import { limitCallsPerKey } from '../limits/per-key.ts';
import { requireApiKey } from './authenticate-hook.ts';
import { registerDashboard } from './documents/dashboard.ts';
import { registerErrorPages } from './documents/error-pages.ts';
import { registerDocs } from './documents/open-api.ts';
import { registerEndpoints } from './endpoints/endpoint-routes.ts';
import type { EndpointRoutesDeps } from './endpoints/endpoint-routes.ts';
import { registerProbes } from './probes.ts';
import type { PublicUrlOf } from './public-url.ts';

export interface PageParts {
  db: Database;
  cluster: Cluster;
  version: string;
  /** Folder of the dashboard's build; the workspace's own unless named. */
  dashboardRoot?: string;
  publicUrlOf: PublicUrlOf;
  isReady(): boolean;
}

/** Adds what people and orchestrators read: probes, error pages, the API's documents, the dashboard. */
export async function registerPages(
  app: FastifyInstance,
  { db, cluster, version, dashboardRoot, publicUrlOf, isReady }: PageParts,
): Promise<void> {
  registerProbes(app, { db, cluster, isReady });
  registerErrorPages(app);
  await registerDocs(app, { version, publicUrlOf });
  await registerDashboard(app, dashboardRoot);
}

export interface RouteParts {
  endpoints: readonly ServedEndpoint[];
  operations: OperationRoutesDeps;
  endpointDeps: EndpointRoutesDeps;
  authenticate: Authenticate;
  callsPerMinute: number;
}

/** Operations and endpoints that take an API key stand behind its check and its limit; the others stand apart. */
export async function registerRoutes(app: FastifyInstance, parts: RouteParts): Promise<void> {
  const { endpoints, endpointDeps } = parts;
  const takesKey = ({ endpoint }: ServedEndpoint) => endpoint.auth === 'apiKey';
  await app.register(async (scope) => {
    requireApiKey(scope, parts.authenticate);
    limitCallsPerKey(scope, parts.callsPerMinute);
    registerOperationRoutes(scope, parts.operations);
    await registerEndpoints(scope, endpoints.filter(takesKey), endpointDeps);
  });
  await registerEndpoints(
    app,
    endpoints.filter((one) => !takesKey(one)),
    endpointDeps,
  );
}
