import type { ErrorCode } from '@tabletop-relay/contract';
import type { SessionPrincipal } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in: set on the routes under `requireSession`, and on no other. */
    session: SessionPrincipal;
  }
  interface FastifyContextConfig {
    /** A disabled account may still use this route. */
    openToDisabled?: boolean;
    /** Answers any origin (CORS without credentials): modules and integrations run elsewhere. */
    anyOrigin?: boolean;
    /** What the route answers beside the problems of its kind, for the OpenAPI document. */
    problems?: readonly ErrorCode[];
  }
}
