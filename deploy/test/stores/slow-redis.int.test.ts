import {
  createTestDatabase,
  findFreePort,
  spawnBound,
  startFaultProxy,
  startRedis,
} from '@tabletop-relay/testing';
import { once } from 'node:events';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../k8s/render.ts';

type App = 'relay' | 'worker' | 'browser-host';

/** Runs a process until it ends, and answers what it said and how it ended. */
async function runToItsEnd(app: App, env: Record<string, string>) {
  const child = spawnBound({ command: process.execPath, env }, [path.join(root, `apps/${app}/src/main.ts`)]);
  onTestFinished(() => child.end('SIGKILL'));
  let output = '';
  for (const stream of [child.process.stdout, child.process.stderr]) {
    stream?.on('data', (data: Buffer) => (output += data.toString()));
  }
  const [code] = (await once(child.process, 'close')) as [number | null];
  return { app, code, output };
}

it('with a Redis that answers never or late, each process ends with one line that says what to do', async () => {
  const [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
  const [silent, slow] = await Promise.all([startFaultProxy(redis.port), startFaultProxy(redis.port)]);
  onTestFinished(async () => {
    await Promise.all([silent.close(), slow.close(), redis.stop(), database.drop()]);
  });
  silent.blackHole();
  slow.latencyMs = 11_000;
  const env = {
    DATABASE_URL: database.url,
    RELAY_SECRET: 'a secret for tests; long enough.',
    PORT: String(await findFreePort()),
    MIGRATE: 'off',
    LOG_LEVEL: 'fatal',
  };
  const start = (app: App, { port }: { port: number }) =>
    runToItsEnd(app, { ...env, REDIS_URL: `redis://127.0.0.1:${port}` });
  const ended = await Promise.all([
    start('relay', silent),
    start('relay', slow),
    start('worker', silent),
    start('browser-host', silent),
  ]);
  for (const { app, code, output } of ended) {
    const lines = output.trim().split('\n');
    expect(lines, app).toHaveLength(1);
    const { level, msg, err } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    expect({ code, level, err }, app).toEqual({ code: 1, level: 60, err: undefined });
    expect(msg, app).toMatch(/^did not start: Redis \(REDIS_URL\) does not take this process: /);
    expect(msg, app).toMatch(/no answer|did not answer/);
    expect(msg, app).toContain('Make Redis reachable from here');
  }
}, 120_000);
