import type { FastifyInstance } from 'fastify';
import type { Tracing } from '../tracing/tracing.ts';

/**
 * Begins the trace of a relayed call where the lot falls on it, and tells the caller which one it is. To be added behind the check
 * of the key and of its rate, so that strangers cause no spans. The step counts from the first byte of the request's head to the
 * last of the answer; the error handler ends that of a failure.
 */
export function traceCalls(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { relayed } = request.routeOptions.config;
    const step =
      relayed &&
      tracing.begin('http', {
        operation: relayed.name,
        traceparent: request.headers['traceparent'],
        elapsedMs: reply.elapsedTime,
      });
    if (step) {
      request.step = step;
      void reply.header('traceparent', step.traceparent);
      // A caller that hung up before the answer is told of as in the call log.
      reply.raw.once('close', () => step.end(reply.raw.writableEnded ? 'ok' : 'client_timeout'));
    }
    done();
  });
}
