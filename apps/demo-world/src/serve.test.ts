import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { DemoWorld } from './serve.ts';
import { startDemoWorld } from './serve.ts';

type Frame = Record<string, unknown>;

let relay: WebSocketServer;
let received: Frame[];
let demo: DemoWorld;
let pageDir: string;

beforeEach(async () => {
  received = [];
  relay = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  relay.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Frame;
      received.push(frame);
      if (frame['type'] === 'auth') {
        send({ type: 'auth-success', instanceId: 'one', clientId: 'chapel', heartbeatMs: 20_000 });
      }
    });
  });
  await once(relay, 'listening');
  pageDir = await mkdtemp(join(tmpdir(), 'demo-world-'));
  await writeFile(join(pageDir, 'index.html'), '<title>The chapel</title>');
  const relayUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  const storage = memoryStorage({ clientId: 'chapel', connectionToken: 'trc_x', pairedRelayUrl: relayUrl });
  demo = await startDemoWorld({ relayUrl, storage, seed: 7, pageDir });
  await demo.module.connect();
});

afterEach(async () => {
  await demo.close();
  for (const socket of relay.clients) socket.terminate();
  await new Promise((closed) => relay.close(closed));
  await rm(pageDir, { recursive: true });
});

function send(frame: Frame): void {
  for (const socket of relay.clients) socket.send(JSON.stringify(frame));
}

/** The first frame from the world that has these fields. */
const frameFromWorld = (fields: Frame) =>
  vi.waitFor(() => {
    const frame = received.find((one) => Object.entries(fields).every(([key, value]) => one[key] === value));
    expect(frame).toBeDefined();
    return frame as Frame;
  });

describe('the line to the relay', () => {
  test('a command is answered by the rules and stands in the list of calls', async () => {
    send({ type: 'skill-check', requestId: 'skill-check_1', actorUuid: 'Actor.mira', skill: 'prc' });
    const reply = await frameFromWorld({ type: 'skill-check-result', requestId: 'skill-check_1' });
    expect(reply['data']).toMatchObject({ actorUuid: 'Actor.mira', formula: '1d20 + 5' });
    expect(demo.world.state().calls).toMatchObject([
      { requestId: 'skill-check_1', operation: 'skill-check', outcome: 'answered' },
    ]);
  });

  test('a refusal has its code, as the user that it was asked for', async () => {
    const asBen = { actorUuid: 'Actor.borin', ability: 'wis', userId: 'Ben' };
    send({ type: 'ability-save', requestId: 'ability-save_1', ...asBen });
    const reply = await frameFromWorld({ requestId: 'ability-save_1' });
    expect(reply).toMatchObject({ code: 'permission_denied', error: 'Ben does not own Borin Ironhand' });
    expect(demo.world.state().calls).toMatchObject([{ userId: 'Ben', outcome: 'refused' }]);
  });

  test('an action in the page is reported to those who listen', async () => {
    send({ type: 'event-subscription-update', channel: 'combat-events', count: 1 });
    await vi.waitUntil(() => demo.module.listeners('combat') === 1, 10_000);
    demo.world.perform({ kind: 'operation', name: 'next-turn', parameters: {} });
    const event = await frameFromWorld({ type: 'combat-event' });
    expect(event['data']).toMatchObject({ eventType: 'turn', encounterId: 'ambush' });
  });
});

/** Opens the live link and collects what it brings. */
async function openLink(origin = new URL(demo.url).origin) {
  const messages: Frame[] = [];
  const socket = new WebSocket(`${demo.url.replace('http', 'ws')}live`, { headers: { origin } });
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as Frame));
  await once(socket, 'open');
  const say = (message: unknown) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  const answer = (fields: Frame) =>
    vi.waitFor(() => expect(messages).toContainEqual(expect.objectContaining(fields)));
  return { socket, messages, say, answer };
}

const lastState = (messages: Frame[]) =>
  messages.findLast((message) => 'state' in message)?.['state'] as ReturnType<DemoWorld['world']['state']>;

describe('the live link', () => {
  test('shows the world, the actions in the page, and the calls of the relay', async () => {
    const link = await openLink();
    await link.answer({ relay: 'connected' });
    link.say({ id: 1, action: { kind: 'move-token', tokenUuid: 'Scene.chapel.Token.mira', x: 3, y: 4 } });
    await link.answer({ done: 1 });
    send({ type: 'next-turn', requestId: 'next-turn_1' });
    await vi.waitFor(() => expect(lastState(link.messages).encounters[0]?.turn).toBe(1), 10_000);
    expect(lastState(link.messages).scenes[0]?.tokens[0]).toMatchObject({ x: 3, y: 4 });
    link.socket.close();
  });

  test('many changes of one tick are one message', async () => {
    const link = await openLink();
    await vi.waitFor(() => expect(lastState(link.messages)).toBeDefined(), 10_000);
    const before = link.messages.length;
    const said = lastState(link.messages).chat.length;
    for (let count = 0; count < 100; count += 1) demo.world.perform({ kind: 'say', text: 'Boo' });
    await vi.waitFor(() => expect(lastState(link.messages).chat).toHaveLength(said + 100), 10_000);
    expect(link.messages).toHaveLength(before + 1);
    link.socket.close();
  });

  test.each([
    ['not JSON', '{', null, 'bad_message'],
    ['no action', '{"id":3}', null, 'bad_message'],
    ['an unknown kind', '{"id":3,"action":{"kind":"cheat"}}', null, 'bad_message'],
    ['an unknown operation', '{"id":3,"action":{"kind":"operation","name":"x","parameters":{}}}', 3, 'not_supported'],
    ['a place outside', '{"id":3,"action":{"kind":"move-token","tokenUuid":"Scene.chapel.Token.mira","x":99,"y":0}}', 3, 'out_of_bounds'],
  ])('%s is refused and changes nothing', async (_name, text, id, code) => {
    const link = await openLink();
    const before = demo.world.state();
    link.say(text);
    await link.answer({ refused: { id, code, message: expect.any(String) as string } });
    expect(demo.world.state()).toBe(before);
    link.socket.close();
  }); // prettier-ignore

  test('a message above 64 KiB ends the link', async () => {
    const link = await openLink();
    link.say('x'.repeat(64 * 1024 + 1));
    const [code] = (await once(link.socket, 'close')) as [number];
    expect(code).toBe(1009);
  });

  test.each(['https://evil.example', 'http://localhost:1', 'null'])(
    'refuses a page of %s',
    async (origin) => {
      await expect(openLink(origin)).rejects.toThrow('403');
    },
  );
});

describe('the page', () => {
  const get = (path: string, host?: string) =>
    new Promise<{ status: number | undefined; body: string; policy: unknown }>((resolve, reject) => {
      const call = request(new URL(path, demo.url), host ? { headers: { host } } : {}, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode, body, policy: response.headers['content-security-policy'] }),
        );
      });
      call.on('error', reject).end();
    });

  test('is served under a content security policy', async () => {
    const { status, body, policy } = await get('/');
    expect([status, body]).toEqual([200, '<title>The chapel</title>']);
    expect(policy).toContain("default-src 'self'");
  });

  test('nothing outside its folder is served', async () => {
    expect((await get('/..%2f..%2fetc%2fpasswd')).status).toBe(404);
  });

  test('a foreign host name is refused: it could be DNS rebinding', async () => {
    expect((await get('/', 'evil.example')).status).toBe(421);
    expect((await get('/live', 'evil.example')).status).toBe(421);
  });
});
