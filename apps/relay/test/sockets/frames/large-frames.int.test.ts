import type { FakeModule, WireFrame } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import type { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startInstances } from '../../instances.ts';
import type { TestInstances } from '../../instances.ts';

const largeFrameBytes = 262_144;

let cluster: TestInstances;
let url: string;
let registry: Registry;
let account: TestAccount;
let key: string;
let pairing: Pairing;
let module: FakeModule;

beforeAll(async () => {
  cluster = await startInstances({ config: { frameLogLines: 2 } });
  [{ url, registry }] = cluster.instances;
  account = await createAccount(url);
  key = await account.createKey();
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  pairing = await account.pair();
  module = await connectModule(url, pairing);
});
afterEach(async () => {
  vi.restoreAllMocks();
  module.cut();
  await module.closed;
});

const ask = () =>
  call(url, 'GET', `/players?clientId=${pairing.clientId}`, { headers: { 'x-api-key': key } });

async function begin(): Promise<{ answer: Promise<Answer>; command: WireFrame }> {
  const answer = ask();
  return { answer, command: await module.next('players') };
}

async function expectServing(): Promise<void> {
  const { answer, command } = await begin();
  module.send({ type: 'players-result', requestId: command['requestId'], users: [] });
  expect((await answer).status).toBe(200);
}

async function dropped(): Promise<number> {
  const metric = await registry.getSingleMetric('relay_large_frames_dropped_total')?.get();
  return metric?.values[0]?.value ?? 0;
}

const filler = (bytes: number) =>
  `"data":[${JSON.stringify({ 'a "name"': ['}', 1.5e3] })}${',1'.repeat(bytes / 2)}]`;

it('a large frame that nobody waits for is dropped unparsed and counted, and the world is served on', async () => {
  const data = filler(largeFrameBytes);
  const frames = [
    `{"type":"players-result","requestId":"players_1",${filler(15_000_000)}}`,
    `{"type":"players-result",${data},"requestId":"players_1"}`,
    `{"\\u0074ype":"hook-event",${data}}`,
    `{"type":"dance",${data}}`,
  ];
  const { answer, command } = await begin();
  const before = await dropped();
  const parse = vi.spyOn(JSON, 'parse');
  for (const frame of frames) module.send(frame);
  await expect.poll(dropped).toBe(before + frames.length);
  expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(largeFrameBytes);
  // A call that was open meanwhile, and one that comes after.
  module.send({ type: 'players-result', requestId: command['requestId'], users: [] });
  expect((await answer).status).toBe(200);
  await expectServing();
  expect(module.count('error')).toBe(0);
  const lines = cluster.logs.filter(
    ({ msg, clientId }) => clientId === pairing.clientId && String(msg).startsWith('large frame'),
  );
  expect(lines).toMatchObject([
    { type: 'players-result', bytes: frames[0]?.length },
    { type: 'players-result', bytes: frames[1]?.length },
  ]);
});

it.each([
  ['as it should be', (id: string) => `{"type":"players-result","requestId":"${id}",${filler(1_000_000)}}`],
  ['cut short', (id: string) => `{"type":"players-result","requestId":"${id}",${filler(1_000_000)}`],
  [
    'with an error at its end',
    (id: string) =>
      `{"type":"players-result","requestId":"${id}",${filler(largeFrameBytes)},"error":"not now"}`,
  ],
  [
    'with another id at its end',
    (id: string) =>
      `{"type":"players-result","requestId":"${id}",${filler(largeFrameBytes)},"requestId":"players_1"}`,
  ],
])('a large reply %s reaches its caller byte for byte, unparsed', async (_where, reply) => {
  const parse = vi.spyOn(JSON, 'parse');
  const answer = fetch(`${url}/players?clientId=${pairing.clientId}`, { headers: { 'x-api-key': key } });
  const { requestId } = await module.next('players');
  const text = reply(String(requestId));
  module.send(text);
  expect(await (await answer).text()).toBe(text);
  expect(Math.max(0, ...parse.mock.calls.map(([parsed]) => parsed.length))).toBeLessThan(largeFrameBytes);
});

it('a large reply that its operation adapts is parsed', async () => {
  const answer = call(url, 'GET', `/world-info?clientId=${pairing.clientId}`, {
    headers: { 'x-api-key': key },
  });
  const { requestId } = await module.next('world-info');
  const data = { foundryVersion: '13.348', modules: 'x'.repeat(largeFrameBytes) };
  module.send({ type: 'world-info-result', requestId, data });
  expect((await answer).body).toMatchObject({ data: { ...data, tabletopVersion: expect.any(String) } });
});

it('a large refusal reaches its caller as one', async () => {
  const { answer, command } = await begin();
  const users = 'x'.repeat(largeFrameBytes);
  module.send({ type: 'players-result', requestId: command['requestId'], error: 'not now', users });
  expect(await answer).toMatchObject({ status: 422, body: { code: 'operation_failed', detail: 'not now' } });
});

it.each([
  [
    'whose names stand last',
    (id: string) => `{${filler(largeFrameBytes)},"requestId":"${id}","type":"players-result"}`,
  ],
  ['that is no object', (id: string) => `[{"requestId":"${id}"},{${filler(largeFrameBytes)}}]`],
  ['without a type', (id: string) => `{"requestId":"${id}",${filler(largeFrameBytes)}}`],
])('a large reply %s fails its call at once', async (_name, reply) => {
  const { answer, command } = await begin();
  module.send(reply(String(command['requestId'])));
  expect(await answer).toMatchObject({ status: 502, body: { code: 'client_bad_reply' } });
  expect(await module.next('error')).toMatchObject({ code: 'bad_frame' });
  await expectServing();
});
