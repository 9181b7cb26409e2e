import { callFormOf, operationRequest, operations, pythonName } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { codeOf } from '../../../apps/dashboard/src/pages/try-it/code/api-call.ts';
import { asPython } from '../../../apps/dashboard/src/pages/try-it/code/code.ts';
import { startInstances } from '../../../apps/relay/test/instances.ts';
import type { TestInstances } from '../../../apps/relay/test/instances.ts';
import { exampleIn, readPage } from '../../../docs/markdown-files.ts';
import { foundPython, spawnBound, startFaultProxy, startRedis, waitFor } from '@tabletop-relay/testing';
import type { FakeModule, TestRedis, WireFrame } from '@tabletop-relay/testing';

const python = foundPython();
const here = import.meta.dirname;
const env = {
  PATH: process.env['PATH'] ?? '',
  PYTHONPATH: path.join(here, '../src'),
  PYTHONDONTWRITEBYTECODE: '1',
};

let redis: TestRedis;
let cluster: TestInstances;
let url: string;
let account: TestAccount;
let key: string;
let world: Pairing;
let module: FakeModule;
/** The commands that came to the world, by operation. */
const commands = new Map<string, WireFrame[]>();

/** How the examples are called beside HTTP. */
const ways = ['sync', 'async', 'page'] as const;
type Way = (typeof ways)[number];

const exampleOf = (name: string) => operations.find((operation) => operation.name === name)?.example.result;

describe.skipIf(python === '')('the Python SDK', () => {
  beforeAll(async () => {
    redis = await startRedis();
    const config = { drainSpreadMs: 100, drainGraceMs: 2_000 };
    cluster = await startInstances({ redis: [redis.url], config });
    [{ url }] = cluster.instances;
    account = await createAccount(url);
    key = await account.createKey();
    world = await account.pair();
    module = await connectModule(url, world, (command) => {
      commands.set(command.type, [...(commands.get(command.type) ?? []), command]);
      return exampleOf(command.type) ?? {};
    });
  });
  afterAll(async () => {
    await module.close();
    await cluster.stop();
    await redis.stop();
  });

  it('keeps what its own tests promise', async () => {
    const command = ['-m', 'unittest', 'discover', '-s', here, '-p', 'test_*.py'];
    const { stderr } = await promisify(execFile)(python, command, { env }).catch(
      (error: unknown) => error as { stderr: string },
    );
    expect(stderr).toMatch(/^Ran [1-9]\d+ tests in .*\n\nOK\n$/m);
  });

  it(`has all ${operations.length} examples answered as over HTTP, by both clients and as Try it shows them`, async () => {
    const overHttp: unknown[] = [];
    for (const operation of operations) overHttp.push(await askOverHttp(operation));
    const calls = operations.map(({ group, name, example }) => ({
      method: `${pythonName(group)}.${pythonName(name)}`,
      arguments: Object.fromEntries(
        Object.entries(example.parameters).map(([parameter, value]) => [pythonName(parameter), value]),
      ),
    }));
    const programs = operations.map((operation) => {
      const { parameters } = operation.example;
      const call = { operation, clientId: world.clientId, parameters, userId: undefined };
      return asPython(codeOf(call), { origin: url, apiKey: key });
    });
    const given = { url, key, world: world.clientId, calls, programs };
    const program = [path.join(here, 'ask_all.py'), JSON.stringify(given)];
    const { stdout } = await promisify(execFile)(python, program, { env, maxBuffer: 2 ** 26 });
    const answers = JSON.parse(stdout) as Record<Way, unknown[]>;
    expect(answers.sync).toHaveLength(operations.length);
    for (const [index, { name }] of operations.entries()) {
      const expected = withoutIds(overHttp[index]);
      for (const way of ways) expect(withoutIds(answers[way][index]), `${way} ${name}`).toEqual(expected);
      const [http, ...others] = (commands.get(name) ?? []).map(withoutIds);
      expect(others, name).toEqual(ways.map(() => http));
    }
  }, 90_000);

  it('follows a stream through three restarts of its instance and loses nothing, by both clients', async () => {
    let instance = await cluster.add();
    const proxy = await startFaultProxy(portOf(instance.url));
    onTestFinished(() => proxy.close());
    const address = `http://127.0.0.1:${proxy.port}`;
    const followers = ['sync', 'async'].map((kind) =>
      run([path.join(here, 'follow.py'), kind, address, key, world.clientId]),
    );
    const opened = (times: number) =>
      waitFor(() => followers.every((one) => count(one.said(), 'connected') === times), {
        timeoutMs: 45_000,
      });
    let sent = 0;
    const roll = (flavor: string) => {
      sent += 1;
      module.send({ type: 'roll-data', data: { id: `r${sent}`, formula: '1d20', rollTotal: sent, flavor } });
    };

    await opened(1);
    for (let restarts = 1; restarts <= 3; restarts += 1) {
      roll('before');
      const next = await cluster.add();
      proxy.pointTo(portOf(next.url));
      await instance.stop();
      instance = next;
      roll('while it is away');
      await opened(restarts + 1);
    }
    roll('the last');
    for (const follower of followers) {
      await follower.ended;
      const events = follower.said().trimEnd().split('\n').map(readEvent);
      const totals = events.flatMap(({ event, data }) => (event === 'roll' ? [data.rollTotal] : []));
      expect(totals).toEqual(Array.from({ length: sent }, (_, index) => index + 1));
      const recovered = events.flatMap(({ event, data }) => (event === 'connected' ? [data.recovered] : []));
      expect(recovered).toEqual([false, true, true, true]);
      expect(count(follower.said(), 'interrupted')).toBeGreaterThanOrEqual(3);
    }
    await instance.stop();
  }, 90_000);

  describe('as it is served, has the example of its page', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-python-'));
    /** The wheel: Python imports from a zip, too. */
    const wheel = path.join(folder, 'tabletop_relay.whl');
    beforeAll(async () => {
      const line = exampleIn(readPage('packages/sdk-python/README.md'), 'python-install');
      const [, address = ''] = /^pip install (\S+)$/m.exec(line) ?? [];
      const response = await fetch(address.replace('http://localhost:3010', url));
      if (!response.ok) throw new Error(`the wheel is not served: ${response.status}`);
      writeFileSync(wheel, await response.bytes());
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    const runExample = (text: string) =>
      run(['-c', text.replaceAll('http://localhost:3010', url)], { PYTHONPATH: wheel, API_KEY: key });
    const page = () => readPage('docs/python.md');
    const { total } = (exampleOf('skill-check') as { data: { total: number } }).data;

    it.each([
      ['the README', exampleIn(readPage('README.md'), 'python')],
      ['its own README', exampleIn(readPage('packages/sdk-python/README.md'), 'python-roll')],
    ])('that is the first of %s', async (_page, text) => {
      const program = runExample(text);
      await program.ended;
      expect(program.said()).toBe(`${total}\n`);
    });

    it('that calls', async () => {
      const program = runExample(exampleIn(page(), 'python-call'));
      await program.ended;
      expect(program.said()).toBe(`Mira rolls ${total}\n`);
    });

    it('for asyncio', async () => {
      const program = runExample(exampleIn(page(), 'python-async'));
      await program.ended;
      expect(program.said()).toBe(`prc ${total}\nprc ${total}\n`);
    });

    it('that follows', async () => {
      const program = runExample(exampleIn(page(), 'python-follow'));
      await waitFor(() => program.said().includes('\n'), { timeoutMs: 30_000 });
      expect(program.said()).toBe('listening\n');
      module.send({ type: 'roll-data', data: { id: 'r', formula: '1d20', rollTotal: 17 } });
      await program.ended;
      expect(program.said()).toBe('listening\n17\n');
    });

    it('that gets a key', async () => {
      const program = runExample(exampleIn(page(), 'python-key'));
      await waitFor(() => program.said().includes('\n'), { timeoutMs: 30_000 });
      const [, code = ''] = /approve\/(\w+)\n/.exec(program.said()) ?? [];
      await account.as('POST', `/auth/key-request/${code}/approve`, {});
      await program.ended;
      expect(program.said()).toMatch(/^key trk_\w+ with roll:execute$/m);
    });
  });
});

const count = (said: string, event: string) => said.split(`"event": "${event}"`).length - 1;

const readEvent = (line: string) =>
  JSON.parse(line) as { event: string; data: { rollTotal: number; recovered: boolean } };

/** A program of Python, and what it has printed so far, of errors too. */
function run(program: string[], more: Record<string, string> = {}) {
  const child = spawnBound({ command: python, env: { ...env, ...more } }, program);
  onTestFinished(() => child.end('SIGKILL'));
  let said = '';
  for (const stream of [child.process.stdout, child.process.stderr])
    stream?.on('data', (data: Buffer) => (said += data.toString()));
  const ended = new Promise((resolve) => child.process.once('close', resolve));
  return { said: () => said, ended };
}

async function askOverHttp(operation: Operation): Promise<unknown> {
  const request = operationRequest({
    form: callFormOf(operation),
    parameters: operation.example.parameters,
    clientId: world.clientId,
  });
  const response = await fetch(url + request.path, {
    method: request.method,
    headers: {
      'x-api-key': key,
      accept: operation.resultBytes ? 'image/*, */*' : 'application/json',
      ...(request.body ? { 'content-type': 'application/json' } : {}),
    },
    ...(request.body ? { body: JSON.stringify(request.body) } : {}),
  });
  if (!operation.resultBytes) return await response.json();
  const name = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? null;
  const base64 = Buffer.from(await response.arrayBuffer()).toString('base64');
  return { base64, type: response.headers.get('content-type'), name };
}

function withoutIds(answer: unknown): unknown {
  const { requestId: _id, traceparent: _trace, ...rest } = answer as Record<string, unknown>;
  return rest;
}

const portOf = (address: string): number => Number(new URL(address).port);
