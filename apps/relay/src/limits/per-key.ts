import type { errorResponseBuilderContext } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';

/** Limits the calls per minute of each key in this scope, before their bodies are read. 0: no limit. To be called after the hook that finds the key. */
export function limitCallsPerKey(app: FastifyInstance, callsPerMinute: number): void {
  if (callsPerMinute === 0) return;
  app.addHook(
    'onRequest',
    app.rateLimit({ max: callsPerMinute, timeWindow: 60_000, keyGenerator: keyOfCaller }),
  );
}

/** Tells the store that these calls are a key's. */
export function keyOfCaller(request: FastifyRequest): string {
  return request.principal.keyId;
}

/** What @fastify/rate-limit answers beside the headers. */
export function refuseByRate(_request: FastifyRequest, context: errorResponseBuilderContext): ProblemError {
  const detail = `No more than ${context.max} requests; the next one in ${context.after}.`;
  return new ProblemError('rate_limited', detail, { retryAfterS: Math.ceil(context.ttl / 1000) });
}
