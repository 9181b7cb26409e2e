import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { startInstances } from '../../instances.ts';
import type { TestInstances } from '../../instances.ts';
import { fragments, onTheWire, textFrame } from './sent-frames.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let key: string;
let pairing: Pairing;
let module: FakeModule;

beforeAll(async () => {
  cluster = await startInstances({ config: { maxFrameBytes: 2_000_000 } });
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  key = await account.createKey();
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  pairing = await account.pair();
  module = await connectModule(url, pairing);
});
afterEach(async () => {
  module.cut();
  await module.closed;
});

const ask = () =>
  call(url, 'GET', `/players?clientId=${pairing.clientId}`, { headers: { 'x-api-key': key } });
/** Past the module's own WebSocket, so that its frames are cut as the test wants them. */
const write = (bytes: Buffer) => module.transport.write(bytes);
const letters = (bytes: number) => 'x'.repeat(bytes);

async function dropped(): Promise<number> {
  const [{ registry }] = cluster.instances;
  const metric = await registry.getSingleMetric('relay_large_frames_dropped_total')?.get();
  return metric?.values[0]?.value ?? 0;
}

it.each([
  ['one frame', (text: string) => textFrame(text)],
  ['fragments', (text: string) => fragments(text, 65_536)],
  ['many small fragments', (text: string) => fragments(text, 400)],
])('a reply of %s reaches its caller, also behind messages that are dropped', async (_what, frames) => {
  const before = await dropped();
  const answer = ask();
  const { requestId } = await module.next('players');
  const late = frames(`{"type":"players-result","requestId":"players_1","text":"${letters(1_000_000)}"}`);
  const text = letters(1_500_000);
  write(Buffer.concat([late, late, textFrame('{"type":"ping"}')]));
  write(frames(`{"type":"players-result","requestId":"${String(requestId)}","users":[],"text":"${text}"}`));
  expect((await answer).body).toMatchObject({ users: [], text });
  await module.next('pong');
  expect(await dropped()).toBe(before + 2);
});

it('pings between fragments are answered, and a small message of fragments is handled', async () => {
  const [first, ...rest] = [
    textFrame('{"type":', { isLast: false }),
    onTheWire({ opcode: 9, payload: Buffer.from('between') }),
    onTheWire({ opcode: 0, payload: Buffer.from('"ping"}') }),
  ];
  const pong = once(module.socket, 'pong');
  write(first);
  write(Buffer.concat(rest));
  expect(String((await pong)[0])).toBe('between');
  await module.next('pong');
});

it.each([
  ['fragments that are too much together', 1009, fragments(letters(4_000_001), 65_536)],
  ['more fragments than a message may have', 1008, fragments(letters(4_097), 1)],
  ['a large frame that is no text', 1007, onTheWire({ opcode: 1, payload: Buffer.alloc(300_000, 0xff) })],
  ['a text frame among fragments', 1002, Buffer.concat([textFrame('a', { isLast: false }), textFrame('b')])],
])('%s close the socket with %i', async (_what, code, bytes) => {
  write(bytes);
  expect((await module.closed).code).toBe(code);
});

it('a call that waits when a message comes in too many fragments is told so, and is not to be repeated', async () => {
  const answer = ask();
  await module.next('players');
  write(fragments(letters(4_097), 1));
  const detail =
    'The world sent a message in too many parts, and its connection was closed. Where that was the answer to this call, ask for less.';
  expect((await answer).body).toMatchObject({ code: 'client_lost', detail, retryable: false });
});

it('large frames that follow the auth frame at once are read like any other', async () => {
  module.cut();
  await module.closed;
  const before = await dropped();
  const socket = new WebSocket(`${url.replace('http', 'ws')}/relay?id=${pairing.clientId}`);
  onTestFinished(() => socket.terminate());
  const received: { type: string }[] = [];
  socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString()) as { type: string }));
  await once(socket, 'open');
  const unasked = `{"type":"players-result","requestId":"players_1","text":"${letters(300_000)}"}`;
  const frames = [
    `{"type":"auth","token":"${pairing.token}"}`,
    unasked,
    '{"type":"ping"}',
    unasked,
    '{"type":"ping"}',
  ];
  for (const frame of frames) socket.send(frame);
  const pongs = () => received.filter(({ type }) => type === 'pong');
  await expect.poll(pongs).toHaveLength(2);
  expect(await dropped()).toBe(before + 2);
});

it('what is left of a large frame when its socket is cut is no frame', async () => {
  const start = cluster.logs.length;
  const text = onTheWire({ opcode: 1, payload: Buffer.alloc(1_500_000, 'x') });
  write(text.subarray(0, -1));
  module.cut();
  await expect.poll(() => cluster.logs.slice(start).map(({ msg }) => msg)).toContain('module disconnected');
  expect(cluster.logs.slice(start).filter(({ msg }) => String(msg).includes('frame'))).toEqual([]);
});
