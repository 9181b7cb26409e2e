import { startWebhookReceiver, waitFor } from '@tabletop-relay/testing';
import type { WebhookReceiver } from '@tabletop-relay/testing';

/** A span as it came over OTLP. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty or absent where nothing came before. */
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: Record<string, unknown>;
  /** `service.instance.id`. */
  instance: unknown;
  startMs: number;
  endMs: number;
}

export interface Collector extends WebhookReceiver {
  spans(): ReceivedSpan[];
  /** The spans of one trace, as soon as there are so many. */
  trace(traceId: string, count: number): Promise<ReceivedSpan[]>;
}

/** A collector on loopback that takes OTLP over HTTP as JSON. */
export async function startCollector(): Promise<Collector> {
  const receiver = await startWebhookReceiver();
  receiver.answer = (response) => response.setHeader('content-type', 'application/json').end('{}');
  const spans = () => receiver.received.flatMap(({ body }) => readSpans(JSON.parse(body) as OtlpTraces));
  return Object.assign(receiver, {
    spans,
    trace: async (traceId: string, count: number) =>
      await waitFor(() => {
        const found = spans().filter((span) => span.traceId === traceId);
        return found.length >= count && found;
      }),
  });
}

interface OtlpAttribute {
  key: string;
  value: Record<string, unknown>;
}

interface OtlpSpan extends Omit<ReceivedSpan, 'attributes' | 'instance' | 'startMs' | 'endMs'> {
  attributes: OtlpAttribute[];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}

interface OtlpTraces {
  resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

function readSpans({ resourceSpans }: OtlpTraces): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const instance = valuesOf(resource.attributes)['service.instance.id'];
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, startTimeUnixNano, endTimeUnixNano, ...span }) => ({
        ...span,
        attributes: valuesOf(attributes),
        instance,
        startMs: Number(startTimeUnixNano) / 1e6,
        endMs: Number(endTimeUnixNano) / 1e6,
      })),
    );
  });
}

const valuesOf = (attributes: OtlpAttribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
