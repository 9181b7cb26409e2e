import { startWebhookReceiver, waitFor } from '@tabletop-relay/testing';
import type { WebhookReceiver } from '@tabletop-relay/testing';
import { Registry } from 'prom-client';
import type { Logger } from 'pino';
import Value from 'typebox/value';
import { Type } from 'typebox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRelayMetrics } from '../metrics.ts';
import { startTracing } from './start-tracing.ts';
import { traceSettings } from './trace-settings.ts';
import type { TraceSettings } from './trace-settings.ts';
import type { Tracing } from './tracing.ts';

const callersTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${callersTrace}-00f067aa0ba902b7-01`;

let collector: WebhookReceiver;
let metrics: ReturnType<typeof createRelayMetrics>;
let lines: unknown[];

beforeEach(async () => {
  collector = await startWebhookReceiver();
  metrics = createRelayMetrics(new Registry());
  lines = [];
});
afterEach(() => collector.stop());

async function start(settings: Partial<TraceSettings> = {}): Promise<Tracing> {
  const tell = (_fields: object, message: string) => void lines.push(message);
  const tracing = await startTracing({
    settings: {
      ...(Value.Default(Type.Object(traceSettings), {}) as TraceSettings),
      otelExporterOtlpEndpoint: `${collector.url}/`,
      otelTracesSamplerArg: 1,
      otelBspScheduleDelay: 1,
      ...settings,
    },
    instanceId: 'one',
    version: '0.0.0-test',
    metrics,
    log: { warn: tell, info: (message: string) => void lines.push(message) } as unknown as Logger,
  });
  if (!tracing) throw new Error('nothing is traced');
  return tracing;
}

const begin = (tracing: Tracing) => tracing.begin('http', { operation: 'players', traceparent });

async function spans(outcome: string): Promise<number> {
  const { values } = await metrics.spans.get();
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
}

test('without a collector there is no tracing', async () => {
  const { otelExporterOtlpEndpoint: _none, ...settings } = {
    ...(Value.Default(Type.Object(traceSettings), {}) as TraceSettings),
  };
  const deps = { settings, instanceId: 'one', version: '0', metrics, log: {} as Logger };
  expect(await startTracing(deps)).toBeUndefined();
});

test('the lot falls on the part of the calls that is set, though the caller wants each of them traced', async () => {
  const tracing = await start({ otelTracesSamplerArg: 0.1 });
  const calls = 10_000;
  const traced = Array.from({ length: calls }, () => begin(tracing)).filter((step) => step !== undefined);
  // Six standard deviations to either side.
  expect(Math.abs(traced.length - calls * 0.1)).toBeLessThan(180);
  expect(new Set(traced.map(({ traceId }) => traceId))).toEqual(new Set([callersTrace]));
});

test('of spans that the collector does not take, no more than the bound wait; the rest is dropped and counted', async () => {
  collector.answer = () => {};
  const tracing = await start({ otelBspMaxQueueSize: 20 });
  const end = () => begin(tracing)?.end('ok');
  for (let count = 0; count < 10; count++) end();
  await waitFor(() => collector.received.length === 1);
  // These wait, and the ten on their way count too.
  for (let count = 0; count < 90; count++) end();
  expect(await spans('dropped')).toBe(80);
});

test('a collector that refuses is told of once, and again when it is well', async () => {
  collector.answer = (response) => response.writeHead(400).end();
  const tracing = await start();
  for (const failed of [1, 2]) {
    begin(tracing)?.end('ok');
    await waitFor(async () => (await spans('failed')) === failed);
  }
  collector.answer = (response) => response.setHeader('content-type', 'application/json').end('{}');
  begin(tracing)?.end('ok');
  await waitFor(async () => (await spans('sent')) === 1);
  expect(lines).toEqual(['traces cannot be sent', 'traces are sent again']);
});

test('who stops sends what has ended', async () => {
  const tracing = await start({ otelBspScheduleDelay: 600_000 });
  const step = begin(tracing);
  step?.begin('bus', 'players').end('unavailable');
  step?.end('unavailable');
  step?.end('ok');
  await tracing.stop();
  expect(await spans('sent')).toBe(2);
  expect(collector.received).toHaveLength(1);
  expect(collector.received[0]?.body).not.toContain('"ok"');
});
