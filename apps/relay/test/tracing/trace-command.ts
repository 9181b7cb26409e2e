import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { TraceCommand } from '@tabletop-relay/module-sdk';

export const traceCommand: TraceCommand = ({ name, traceparent }, run) => {
  const parent = propagation.extract(context.active(), { traceparent });
  return trace
    .getTracer('my-world')
    .startActiveSpan(name, { kind: SpanKind.SERVER }, parent, async (span) => {
      try {
        return await run();
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
};
