import { createAccount, createTally, startNumberedWorld } from '@tabletop-relay/testing/scenes';
import type { NumberedWorld, TestAccount } from '@tabletop-relay/testing/scenes';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startInstances } from '../../../apps/relay/test/instances.ts';
import type { TestInstance, TestInstances } from '../../../apps/relay/test/instances.ts';
import { startFaultProxy, startRedis, waitFor } from '@tabletop-relay/testing';
import type { FaultProxy, TestRedis } from '@tabletop-relay/testing';
import { makeFolder, runCli } from './run-cli.ts';

let redis: TestRedis;
let cluster: TestInstances;
let account: TestAccount;
let world: NumberedWorld;
let listened: TestInstance;
let proxy: FaultProxy;
let env: Record<string, string>;

const portOf = ({ url }: TestInstance) => Number(new URL(url).port);

beforeAll(async () => {
  redis = await startRedis();
  cluster = await startInstances({ count: 2, redis: [redis.url] });
  const [home, second] = cluster.instances;
  listened = second as TestInstance;
  account = await createAccount(home.url);
  const pairing = await account.pair();
  world = startNumberedWorld({ pairing, nextUrl: () => home.url });
  await world.connected;
  proxy = await startFaultProxy(portOf(listened));
  const TABLETOP_KEY = await account.createKey({ clientIds: [pairing.clientId] });
  env = { TABLETOP_URL: `http://127.0.0.1:${proxy.port}`, TABLETOP_KEY };
});
afterAll(async () => {
  world.close();
  await proxy.close();
  await cluster.stop();
  await redis.stop();
});

interface Line {
  event: string;
  id?: string;
  data: { args?: [number]; recovered?: boolean; dropped?: number };
}

/** A listener in this process, until it is ended. */
function startListener(...more: string[]) {
  const ending = new AbortController();
  let text = '';
  const running = runCli(['listen', 'hooks', ...more], {
    env,
    signal: ending.signal,
    onOutput: (part) => (text += part),
  });
  const lines = (): Line[] =>
    text
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
  const numbers = () => lines().flatMap(({ data }) => (data.args ? [data.args[0]] : []));
  return {
    lines,
    numbers,
    async end() {
      ending.abort();
      return await running;
    },
  };
}

/** A receiver of webhooks that refuses the first try of each third event. */
async function startReceiver() {
  const tries = new Map<string, number>();
  const taken: { headers: Record<string, string>; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data) => (body += String(data)));
    request.on('end', () => {
      const id = String(request.headers['webhook-id']);
      const count = (tries.get(id) ?? 0) + 1;
      tries.set(id, count);
      const isRefused = tries.size % 3 === 0 && count === 1;
      if (!isRefused) taken.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(isRefused ? 503 : 204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { taken, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events` };
}

it('through three restarts of its instance nothing is lost, or it is told', { timeout: 90_000 }, async () => {
  const listener = startListener();
  await waitFor(() => world.isWanted());
  world.setRate(100);
  for (let restarts = 0; restarts < 3; restarts += 1) {
    const before = listener.numbers().length;
    await waitFor(() => listener.numbers().length > before + 20, { timeoutMs: 30_000 });
    const next = await cluster.add();
    proxy.pointTo(portOf(next));
    await listened.stop();
    listened = next;
  }
  const opened = () => listener.lines().filter(({ event }) => event === 'connected').length;
  await waitFor(() => opened() === 4, { timeoutMs: 30_000 });
  world.setRate(0);
  await waitFor(() => listener.numbers().at(-1) === world.sent(), { timeoutMs: 30_000 });
  expect((await listener.end()).code).toBe(130);

  const tally = createTally({ from: 1 });
  for (const { event, data } of listener.lines()) {
    if (data.args) tally.take({ kind: 'event', number: data.args[0] });
    if (event === 'connected') tally.take({ kind: 'connected', recovered: data.recovered ?? false });
    if (event === 'gap') tally.take({ kind: 'gap', dropped: data.dropped });
  }
  tally.end(world.sent());
  expect(tally.problems).toEqual([]);
  expect(tally.counts).toMatchObject({ connected: 4, event: world.sent() - tally.counts.told });
});

it(
  'a later run goes on where the one before stopped, and both forward each event, signed',
  { timeout: 90_000 },
  async () => {
    const folder = makeFolder();
    const [state, secret] = [path.join(folder, 'last-id'), path.join(folder, 'secret')];
    const receiver = await startReceiver();
    const flags = ['--state', state, '--forward-to', receiver.address, '--secret-file', secret];
    const first = startListener(...flags);
    await waitFor(() => first.lines().some(({ event }) => event === 'connected'));
    const from = world.sent();
    await world.send(4);
    await waitFor(() => first.numbers().length === 4, { timeoutMs: 30_000 });
    await first.end();
    expect(existsSync(state) && readFileSync(state, 'utf8')).toBe(first.lines().at(-1)?.id);

    await world.send(3);
    const second = startListener(...flags);
    await waitFor(() => second.numbers().length === 3, { timeoutMs: 30_000 });
    await second.end();
    expect([...first.numbers(), ...second.numbers()]).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((index) => from + index),
    );
    expect(second.lines()[0]).toMatchObject({ event: 'connected', data: { recovered: true } });

    expect(statSync(secret).mode & 0o777).toBe(0o600);
    const webhook = new Webhook(readFileSync(secret, 'utf8').trim());
    const told = receiver.taken.map(({ headers, body }) => {
      const { type, data } = webhook.verify(body, headers) as { type: string; data: Line['data'] };
      return { type, id: headers['webhook-id'], number: data.args?.[0] };
    });
    const printed = [...first.lines(), ...second.lines()].filter(({ data }) => data.args);
    expect(told.filter(({ number }) => number !== undefined)).toEqual(
      printed.map(({ event, id, data }) => ({ type: event, id, number: data.args?.[0] })),
    );
  },
);

it('ends after the event that it waits for', { timeout: 60_000 }, async () => {
  const waiting = runCli(['listen', 'hooks', '--until', 'connected'], { env });
  const { code, stdout } = await waiting;
  expect([code, (JSON.parse(stdout) as Line).event]).toEqual([0, 'connected']);
});

it('a key without the scope ends it with 4, and none is waited for', { timeout: 60_000 }, async () => {
  const key = await account.createKey({ scopes: ['clients:read'], clientIds: [world.clientId] });
  const { code, stderr } = await runCli(['listen', 'hooks'], { env: { ...env, TABLETOP_KEY: key } });
  expect([code, (JSON.parse(stderr) as { code: string }).code]).toEqual([4, 'scope_missing']);
});
