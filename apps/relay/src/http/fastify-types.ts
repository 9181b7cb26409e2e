import type { Operation } from '@tabletop-relay/contract';
import type { CallFacts } from '../calls/log-calls.ts';
import type { Principal } from '../keys/authenticate.ts';
import type { Step } from '../tracing/tracing.ts';
import type { SessionPrincipal } from '../endpoint-handler.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its JSON answers are compressed from this many bytes on; never without it. */
    compressFrom?: number;
    /** Its answer holds a secret and is never compressed, by us or by a proxy. */
    secretAnswer?: boolean;
    /** The operation that the route relays. */
    relayed?: Operation;
    /** Answers whatever Host it is called by: balancers and orchestrators often send none. */
    anyHost?: boolean;
    /** A page for people: what is not there is told by a page too, where a browser asks. */
    isPage?: boolean;
    /** Answers any origin (CORS without credentials): modules and integrations run elsewhere. */
    anyOrigin?: boolean;
    /** A disabled account may still use this route. */
    openToDisabled?: boolean;
    /** Failures have the shape of OAuth's standards. */
    speaksOAuth?: boolean;
    /** Browsers are led on; where something is wrong too, to a page that says so. */
    leadsTo?: boolean;
    /** The route's schema in the OpenAPI document, for a route that checks its input by itself. */
    openApi?: FastifySchema;
  }
  interface FastifyInstance {
    /** How many requests of this server are not answered yet. Sockets that were upgraded are none of them. */
    answersOwed(): number;
  }
  interface FastifyRequest {
    /** The signed-in person; set on the routes that take a session, before their handler runs. */
    session: SessionPrincipal;
    /** The scopes in the body of an endpoint as the caller named them, where they stand for others; else none. */
    askedScopes: readonly string[];
    /** The holder of the API key; set on the routes that take one, before their handler runs. */
    principal: Principal;
    /** What the call log tells of a relayed call; set on the routes of operations. */
    call: CallFacts | null;
    /** The first step of a call that is traced; undefined for every other request. */
    step: Step | undefined;
  }
}
