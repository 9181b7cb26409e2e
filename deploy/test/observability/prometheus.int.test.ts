import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  createTestDatabase,
  findDebianProgram,
  findFreePort,
  spawnBound,
  startRedis,
} from '@tabletop-relay/testing';
import { expect, it, onTestFinished } from 'vitest';
import { startRelayProcess } from '../../../apps/relay/test/process.ts';
import { rows } from '../../../docs/generator/observability/dashboard-rows.ts';
import { root } from '../k8s/render.ts';

const alerts = path.join(root, 'deploy/observability/alerts.yaml');

it('the alert rules fire where they should, and keep quiet where they should', async () => {
  const promtool = await findDebianProgram('promtool');
  const run = (...args: string[]) =>
    execFileSync(promtool.command, args, {
      env: { ...process.env, ...promtool.env },
      encoding: 'utf8',
      stdio: 'pipe',
    });
  expect(run('check', 'rules', alerts)).toContain('SUCCESS');
  expect(run('test', 'rules', alerts.replace('.yaml', '.test.yaml'))).toContain('SUCCESS');
}, 120_000);

it('a Prometheus scrapes three instances, and every query of the dashboard has an answer', async () => {
  const [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
  onTestFinished(() => Promise.all([redis.stop(), database.drop()]).then(() => {}));
  const opsPorts = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  const relays = await Promise.all(
    opsPorts.map(async (opsPort, index) =>
      startRelayProcess({
        port: await findFreePort(),
        databaseUrl: database.url,
        redisUrl: redis.url,
        instanceId: `scraped-${index}`,
        env: { OPS_PORT: String(opsPort), DATABASE_POOL: '2' },
      }),
    ),
  );
  onTestFinished(() => Promise.all(relays.map((relay) => relay.end('SIGKILL'))).then(() => {}));
  const url = await startPrometheus(opsPorts);
  const query = async (text: string) => {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(text)}`);
    return (await response.json()) as {
      status: string;
      error?: string;
      data: { result: { value: [number, string] }[] };
    };
  };
  await expect
    .poll(async () => (await query('sum(relay_ready)')).data.result[0]?.value[1], { timeout: 30_000 })
    .toBe('3');
  expect((await query('min(relay_redis_up)')).data.result[0]?.value[1]).toBe('1');
  for (const panel of Object.values(rows).flat()) {
    for (const text of Object.values(panel.queries))
      expect(await query(text.replaceAll('$__rate_interval', '1m')), text).toMatchObject({
        status: 'success',
      });
  }
}, 180_000);

async function startPrometheus(opsPorts: readonly number[]): Promise<string> {
  const program = await findDebianProgram('prometheus');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-prometheus-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const targets = opsPorts.map((port) => `127.0.0.1:${port}`);
  const config = {
    global: { scrape_interval: '1s' },
    rule_files: [alerts],
    scrape_configs: [{ job_name: 'relay', static_configs: [{ targets }] }],
  };
  writeFileSync(path.join(folder, 'prometheus.yml'), JSON.stringify(config));
  const port = await findFreePort();
  const server = spawnBound(program, [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  server.process.stdout?.resume();
  server.process.stderr?.resume();
  onTestFinished(() => server.end('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.status, { timeout: 30_000 })
    .toBe(200);
  return url;
}
