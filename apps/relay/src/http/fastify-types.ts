import type { Principal } from '../keys/authenticate.ts';
import type { RelayedRoute } from './error-handler.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on the routes of relayed operations. */
    relayed?: RelayedRoute;
    /** Answers whatever Host it is called by: balancers and orchestrators often send none. */
    anyHost?: boolean;
    /** What the OpenAPI document says, where the route checks its input by itself. */
    openApi?: FastifySchema;
  }
  interface FastifyRequest {
    /** Whose key it is; set on the routes that take one, before their handler runs. */
    principal: Principal;
  }
}
