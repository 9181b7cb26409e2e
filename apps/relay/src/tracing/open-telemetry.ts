import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { Context, Span } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { errors, readTraceparent } from '@tabletop-relay/contract';
import type { ErrorCode } from '@tabletop-relay/contract';
import { createSpanQueue } from './span-queue.ts';
import type { Step, StepName, Tracing, TracingDeps } from './tracing.ts';

/** So long a stopping instance waits for a collector that does not answer. */
const stopMs = 5_000;

/** Those that ask are clients, so that a backend draws the way from one instance to the other. */
const kinds = {
  http: SpanKind.SERVER,
  'remote-request': SpanKind.SERVER,
  bus: SpanKind.CLIENT,
  owner: SpanKind.SERVER,
  world: SpanKind.CLIENT,
} satisfies Record<StepName, SpanKind>;

interface SpanStart {
  operation: string;
  clientId?: string | undefined;
  startTime?: number;
}

/** Spans carry the operation, the outcome and the world's id, and nothing of what the caller sent. */
export function createTracing(deps: TracingDeps): Tracing {
  const { settings, instanceId, version } = deps;
  const provider = new TracerProvider({
    // The sample is drawn before a span is made.
    sampler: new AlwaysOnSampler(),
    resource: resourceFromAttributes({
      'service.name': settings.otelServiceName,
      'service.version': version,
      'service.instance.id': instanceId,
    }),
    spanProcessors: [createSpanQueue(deps)],
  });
  const tracer = provider.getTracer('tabletop-relay', version);

  function start(name: StepName, within: Context, { operation, clientId, startTime }: SpanStart): Step {
    const span = tracer.startSpan(
      `${name} ${operation}`,
      {
        kind: kinds[name],
        attributes: {
          'relay.operation': operation,
          ...(clientId !== undefined && { 'relay.client_id': clientId }),
        },
        ...(startTime !== undefined && { startTime }),
      },
      within,
    );
    const { traceId, spanId } = span.spanContext();
    let hasEnded = false;
    return {
      traceId,
      traceparent: `00-${traceId}-${spanId}-01`,
      begin: (next, operation, clientId) =>
        start(next, trace.setSpan(ROOT_CONTEXT, span), { operation, clientId }),
      end(outcome) {
        if (hasEnded) return;
        hasEnded = true;
        finish(span, outcome);
      },
    };
  }

  return {
    begin(name, { operation, traceparent, elapsedMs = 0 }) {
      if (Math.random() >= settings.otelTracesSamplerArg) return undefined;
      return start(name, contextOf(readTraceparent(traceparent)), {
        operation,
        startTime: Date.now() - elapsedMs,
      });
    },
    resume: (operation, traceparent) => start('owner', contextOf(traceparent), { operation }),
    async stop() {
      const timeOut = Promise.withResolvers<void>();
      const timer = setTimeout(timeOut.resolve, stopMs);
      // Failed batches were counted and logged.
      await Promise.race([provider.shutdown().catch(() => undefined), timeOut.promise]);
      clearTimeout(timer);
    },
  };
}

/** Spans of a sampled call are recorded, whatever the flags of the caller say. */
function contextOf(traceparent: string | undefined): Context {
  if (traceparent === undefined) return ROOT_CONTEXT;
  const [, traceId = '', spanId = ''] = traceparent.split('-');
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
}

/** A refusal is no error of the relay: only what is answered with a 5xx colours a trace. */
function finish(span: Span, outcome: 'ok' | ErrorCode): void {
  span.setAttribute('relay.outcome', outcome);
  if (outcome !== 'ok' && errors[outcome].status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
