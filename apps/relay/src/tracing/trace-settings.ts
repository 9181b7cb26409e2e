import { count, milliseconds } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';
import { Type } from 'typebox';

/** A percent stands only before the digits of a printable character, so that any header can be sent. */
const headerPattern = '^[\\w.-]+=(?:[ -$&-~]|%[2-7][0-9A-Fa-f])+$';

/** Traces of calls. The names are those of OpenTelemetry, so that what operators know of them holds. */
export const traceSettings = {
  otelExporterOtlpEndpoint: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description:
        'Where traces go: an OpenTelemetry collector (OTLP over HTTP, JSON), without `/v1/traces`. Not set: nothing is traced.',
    }),
  ),
  otelExporterOtlpHeaders: Type.Array(Type.String({ pattern: headerPattern }), {
    secret: true,
    default: [],
    maxItems: 16,
    description: 'Headers for the collector, such as its token: `name=value`, the value percent-encoded.',
  }),
  otelTracesSamplerArg: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.01,
    description:
      'The share of all calls that is traced, chosen at random. No `traceparent` of a caller raises it.',
  }),
  otelServiceName: Type.String({
    minLength: 1,
    maxLength: 128,
    default: 'tabletop-relay',
    description: 'The name of the service in traces.',
  }),
  otelBspMaxQueueSize: count(
    2_048,
    'Spans that may wait for the collector, those on their way included; further ones are dropped and counted.',
  ),
  otelBspScheduleDelay: milliseconds(5_000, 'How long spans are gathered before they are sent.', 1),
};

export type TraceSettings = SettingsOf<typeof traceSettings>;
