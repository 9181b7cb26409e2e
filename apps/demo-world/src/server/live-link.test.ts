import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createWorld } from '../world/world.ts';
import type { World } from '../world/world.ts';
import { createLiveLink } from './live-link.ts';
import type { LiveLink } from './live-link.ts';
import { createPageServer } from './page-server.ts';

let world: World;
let link: LiveLink;
let server: FastifyInstance;
let address: string;
let errors: unknown[];

beforeEach(async () => {
  errors = [];
  await serve(createWorld({ seed: 1 }));
});

afterEach(() => server.close());

async function serve(served: World): Promise<void> {
  world = served;
  link = createLiveLink(world, (error) => errors.push(error));
  const pageDir = join(tmpdir(), 'a page that is not built');
  server = await createPageServer({ pageDir, liveLink: link, hosts: ['127.0.0.1'], world });
  address = await server.listen({ host: '127.0.0.1', port: 0 });
}

async function openPage() {
  const messages: Record<string, unknown>[] = [];
  const socket = new WebSocket(`${address.replace('http', 'ws')}/live`, { headers: { origin: address } });
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as (typeof messages)[0]));
  await once(socket, 'open');
  const expectTold = (message: object) => vi.waitFor(() => expect(messages).toContainEqual(message), 10_000);
  return { socket, messages, expectTold };
}

const closeCode = async (socket: WebSocket) => ((await once(socket, 'close')) as [number])[0];

describe('a page', () => {
  test('is told first how the line to the relay stands, then the state, and each change of both', async () => {
    const { messages, expectTold } = await openPage();
    await expectTold({ state: world.state() });
    expect(messages).toEqual([{ relay: 'connecting' }, { state: world.state() }]);
    const connected = { state: 'connected', clientId: 'chapel', instanceId: 'one' } as const;
    for (const [status, told] of [
      [connected, 'connected'],
      [{ state: 'unpaired' }, 'away'],
      [{ state: 'connecting' }, 'connecting'],
    ] as const) {
      link.tellRelay(status);
      await vi.waitFor(() => expect(messages.at(-1)).toEqual({ relay: told }), 10_000);
    }
    link.tellRelay(connected);
    const later = await openPage();
    await later.expectTold({ relay: 'connected' });
    world.perform({ kind: 'say', text: 'Boo' });
    await expectTold({ state: world.state() });
    await later.expectTold({ state: world.state() });
  });

  test('that sends bytes is told to send text, and goes on', async () => {
    const { socket, expectTold } = await openPage();
    const action = { id: 1, action: { kind: 'say', text: 'Boo' } };
    socket.send(Buffer.from(JSON.stringify(action)));
    await expectTold({ refused: { id: null, code: 'bad_message', message: 'Messages are JSON text' } });
    socket.send(JSON.stringify(action));
    await expectTold({ done: 1 });
  });

  test('is not told what went wrong in the world itself, and whoever runs it is', async () => {
    await server.close();
    const bug = new TypeError('a bug');
    const fail = () => {
      throw bug;
    };
    await serve({ ...createWorld({ seed: 1 }), perform: fail });
    const { socket, expectTold } = await openPage();
    socket.send(JSON.stringify({ id: 2, action: { kind: 'say', text: 'Boo' } }));
    await expectTold({
      refused: { id: 2, code: 'internal', message: 'That went wrong in the world itself' },
    });
    expect(errors).toEqual([bug]);
  });

  test('has its place among 32, until one closes', async () => {
    const pages = await Promise.all(Array.from({ length: 32 }, () => openPage()));
    const [first] = pages;
    expect(await closeCode((await openPage()).socket)).toBe(1013);
    first!.socket.close();
    await once(first!.socket, 'close');
    const next = await openPage();
    await next.expectTold({ state: world.state() });
  });

  test('is closed when the world closes, and may come back to the next', async () => {
    const { socket } = await openPage();
    const closed = closeCode(socket);
    link.close();
    expect(await closed).toBe(1001);
  });
});

test('a page that is not built is said to be so, under its policy', async () => {
  const { statusCode, body, headers } = await server.inject({ url: '/', headers: { host: '127.0.0.1' } });
  expect([statusCode, body]).toEqual([503, expect.stringContaining('pnpm build')]);
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
});
