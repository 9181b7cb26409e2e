import { Counter } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';
import { startOpsServer } from './ops-server.ts';
import type { OpsServer } from './ops-server.ts';

let health: () => Promise<{ ready: boolean }>;
let server: OpsServer;
const metrics = createMetrics();
const calls = new Counter({ name: 'calls_total', help: 'Calls.', registers: [metrics] });

beforeEach(async () => {
  health = () => Promise.resolve({ ready: true });
  server = await startOpsServer({ host: '127.0.0.1', port: 0, metrics, health: () => health() });
});
afterEach(() => server.close());

test('metrics are those of the registry and of the process', async () => {
  calls.inc(3);
  const response = await fetch(`${server.url}/metrics`);
  const text = await response.text();
  expect(response.headers.get('content-type')).toContain('text/plain');
  expect(text).toContain('calls_total 3');
  expect(text).toContain('process_cpu_seconds_total');
});

test('two instances in one process do not count into each other', async () => {
  const other = createMetrics();
  new Counter({ name: 'calls_total', help: 'Calls.', registers: [other] }).inc();
  expect(await other.metrics()).toContain('calls_total 1');
});

test('an instance that is not ready is alive', async () => {
  health = () => Promise.resolve({ ready: false, postgres: 'away' });
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  const response = await fetch(`${server.url}/readyz`);
  expect(response.status).toBe(503);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({ ready: false, postgres: 'away' });
});

test('a health check that fails is not ready', async () => {
  health = () => Promise.reject(new Error('broken'));
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
});

test.each([
  ['GET', '/other', 404],
  ['POST', '/metrics', 405],
])('%s %s is %i', async (method, path, status) => {
  expect((await fetch(server.url + path, { method })).status).toBe(status);
});
