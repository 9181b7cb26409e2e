import rateLimit from '@fastify/rate-limit';
import type { Quotas } from '@tabletop-relay/limits';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { refuseByRate } from '../limits/per-key.ts';
import { createRateStore, keyOfAddress } from '../limits/rate-store.ts';
import { answerAnyOrigin } from './any-origin.ts';
import { registerOpenApi } from './documents/open-api.ts';
import type { HandleError } from './error-handler.ts';
import { answerUnmatched } from './method-not-allowed.ts';
import { refuseForeignHost } from './public-url.ts';
import type { PublicUrlOf } from './public-url.ts';

export interface ServerParts {
  hasPublicUrl: boolean;
  version: string;
  /** Told of each route as it is added. */
  onRoute: ((route: RouteOptions) => void) | undefined;
  handleError: HandleError;
  publicUrlOf: PublicUrlOf;
  quotas: Quotas;
  isDraining(): boolean;
}

/** Adds the hooks and plugins that hold for all routes. Fastify applies them only to routes that are added later. */
export async function prepareServer(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const { handleError, publicUrlOf, onRoute, isDraining } = parts;
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    // A caller that keeps its connection would come back to an instance that is leaving.
    if (isDraining()) void reply.header('connection', 'close');
    done();
  });
  app.setErrorHandler(handleError);
  if (!parts.hasPublicUrl) app.addHook('onRequest', (request) => Promise.resolve(refuseForeignHost(request)));
  if (onRoute) app.addHook('onRoute', onRoute);
  answerUnmatched(app);
  answerAnyOrigin(app);
  await registerOpenApi(app, { version: parts.version, publicUrlOf });
  await app.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    keyGenerator: keyOfAddress,
    store: createRateStore(parts.quotas),
    errorResponseBuilder: refuseByRate,
  });
}
