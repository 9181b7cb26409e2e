import { waitFor } from '@tabletop-relay/testing';
import { Registry } from 'prom-client';
import type { Logger } from 'pino';
import Value from 'typebox/value';
import { Type } from 'typebox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCollector } from '../../test/tracing/collector.ts';
import type { Collector } from '../../test/tracing/collector.ts';
import { createRelayMetrics } from '../metrics.ts';
import { startTracing } from './start-tracing.ts';
import { traceSettings } from './trace-settings.ts';
import type { TraceSettings } from './trace-settings.ts';
import type { Tracing } from './tracing.ts';

const callersTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${callersTrace}-00f067aa0ba902b7-01`;

let collector: Collector;
let metrics: ReturnType<typeof createRelayMetrics>;
let lines: unknown[];

beforeEach(async () => {
  collector = await startCollector();
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

test('the set share of the calls is traced, though the caller wants each of them traced', async () => {
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

test('a span tells how its step ended: only what is answered with a 5xx is an error, and the first end counts', async () => {
  const tracing = await start();
  for (const outcome of ['ok', 'client_not_found', 'client_timeout'] as const) {
    const step = tracing.begin('http', { operation: 'players', traceparent: undefined });
    step?.end(outcome);
    step?.end('internal');
  }
  await tracing.stop();
  const told = collector
    .spans()
    .map(({ status, attributes }) => [attributes['relay.outcome'], status.code ?? 0]);
  expect(told).toEqual([
    ['ok', 0],
    ['client_not_found', 0],
    ['client_timeout', 2],
  ]);
});

test('a span begins when its call came, and names the world once that is known', async () => {
  const tracing = await start();
  const http = tracing.begin('http', { operation: 'players', traceparent: undefined, elapsedMs: 5_000 });
  http?.begin('world', 'players', 'world-1').end('ok');
  http?.end('ok');
  await tracing.stop();
  const [world, whole] = collector.spans();
  expect(whole?.attributes).not.toHaveProperty(['relay.client_id']);
  expect(world?.attributes['relay.client_id']).toBe('world-1');
  expect(world?.parentSpanId).toBe(whole?.spanId);
  // The step within it begins when it is asked for, which is soon after.
  const apartMs = (world?.startMs ?? 0) - (whole?.startMs ?? 0);
  expect(apartMs).toBeGreaterThan(4_900);
  expect(apartMs).toBeLessThan(8_000);
});

test('a call without a trace of its caller begins one', async () => {
  const tracing = await start();
  const [one, other] = [1, 2].map(() =>
    tracing.begin('http', { operation: 'players', traceparent: undefined }),
  );
  expect(one?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(other?.traceId).not.toBe(one?.traceId);
  one?.end('ok');
  await tracing.stop();
  expect(collector.spans()[0]?.parentSpanId ?? '').toBe('');
});

test('with a share of 0 no call is traced', async () => {
  const tracing = await start({ otelTracesSamplerArg: 0 });
  expect(begin(tracing)).toBeUndefined();
});
