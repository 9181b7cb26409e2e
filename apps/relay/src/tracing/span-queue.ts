import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import type { SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { TracingDeps } from './tracing.ts';

/**
 * Sends spans in batches. Of what waits and of what is on its way there is a bound together, because the batches that a slow
 * collector has not answered are as large as those that wait.
 */
export function createSpanQueue(deps: TracingDeps): SpanProcessor {
  const { metrics, settings } = deps;
  const { otelBspMaxQueueSize: maxQueueSize, otelBspScheduleDelay: scheduledDelayMillis } = settings;
  const otlp = new OTLPTraceExporter({ url: addressOf(deps), headers: headersOf(deps) });
  const reportResult = createReportResult(deps);
  let waiting = 0;

  const exporter: SpanExporter = {
    export(spans, done) {
      otlp.export(spans, (result) => {
        waiting -= spans.length;
        metrics.spans.labels(result.error ? 'failed' : 'sent').inc(spans.length);
        reportResult(result.error);
        done(result);
      });
    },
    shutdown: () => otlp.shutdown(),
  };
  const batches = new BatchSpanProcessor({ exporter, maxQueueSize, scheduledDelayMillis });
  return {
    onStart: (span, context) => batches.onStart(span, context),
    onEnd(span) {
      if (waiting >= maxQueueSize) return metrics.spans.labels('dropped').inc();
      waiting++;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}

/** A line when the collector goes away and one when it is back, not one for each batch. */
function createReportResult({ log }: TracingDeps) {
  let isFailing = false;
  return (error: Error | undefined): void => {
    if (error && !isFailing) log.warn({ reason: error.message.slice(0, 200) }, 'traces cannot be sent');
    if (!error && isFailing) log.info('traces are sent again');
    isFailing = error !== undefined;
  };
}

const addressOf = ({ settings }: TracingDeps): string =>
  `${settings.otelExporterOtlpEndpoint?.replace(/\/+$/, '')}/v1/traces`;

function headersOf({ settings }: TracingDeps): Record<string, string> {
  return Object.fromEntries(
    settings.otelExporterOtlpHeaders.map((header) => {
      const [name = '', ...value] = header.split('=');
      return [name, decodeURIComponent(value.join('='))];
    }),
  );
}
