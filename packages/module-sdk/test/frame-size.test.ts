import { expect, it, onTestFinished, test } from 'vitest';
import { createFakeWebSocket } from './fake-socket.ts';
import type { FakeSocket } from './fake-socket.ts';
import { makeModule } from './fixtures.ts';
import { startRelay } from './relay-server.ts';
import type { Handlers } from '../src/commands/handlers.ts';
import { createMemory } from '../src/commands/memory.ts';
import { openLink } from '../src/connection/link.ts';

const megabytes16 = 16 * 1024 * 1024;
const lengthOf = (text: string) => Buffer.byteLength(JSON.stringify({ type: 'x', text }));
const tooLarge = expect.objectContaining({ code: 'payload_too_large' }) as Error;

/** A link that was let in by a relay that says this of its frames. */
function connect(maxFrameBytes?: unknown) {
  const { WebSocket, sockets } = createFakeWebSocket();
  const nothing = () => {};
  const link = openLink({
    WebSocket,
    url: 'wss://relay.example/relay',
    token: 'trc_token',
    declares: {},
    standby: false,
    handlers: {},
    trace: undefined,
    memory: createMemory(),
    leftOut: new Map(),
    onReady: nothing, onStandby: nothing, onListeners: nothing, onPauses: nothing, onGoingAway: nothing, onEnd: nothing, onError: nothing,
  }); // prettier-ignore
  onTestFinished(() => link.close());
  const socket = sockets[0] as FakeSocket;
  socket.opens();
  socket.hears({
    type: 'auth-success',
    clientId: 'c',
    instanceId: 'one',
    heartbeatMs: 300_000,
    maxFrameBytes,
  });
  socket.sent.length = 0;
  return { link, socket };
}

async function connectModule(handlers: Handlers) {
  const relay = await startRelay();
  const { module, errors } = makeModule(relay.url, { handlers });
  onTestFinished(async () => {
    module.close();
    await relay.close();
  });
  await module.connect();
  return { module, errors, peer: await relay.nextPeer() };
}

it.each([
  ['ASCII', 'x'],
  ['letters of two bytes', 'é'],
  ['letters of three', '十'],
  ['pairs', '😀'],
])('a frame of %s is sent up to the size that the relay takes, in bytes', (_of, letter) => {
  const text = letter.repeat(2_000);
  const { link, socket } = connect(lengthOf(text));
  expect(link.send({ type: 'x', text })).toBe(true);
  expect(() => link.send({ type: 'x', text: `${text}y` })).toThrow(tooLarge);
  expect(socket.sent).toHaveLength(1);
});

it.each([undefined, '16', null])('a frame has 16 MiB at most where the relay says %s', (given) => {
  const { link } = connect(given);
  const text = 'x'.repeat(megabytes16 - lengthOf(''));
  expect(link.send({ type: 'x', text })).toBe(true);
  expect(() => link.send({ type: 'x', text: `${text}x` })).toThrow(
    'It is larger than 16 MiB, which is the most that the relay takes',
  );
});

test('a request that is too large rejects at once', async () => {
  const { link, socket } = connect(2_000);
  const request = { type: 'remote-request', payload: 'x'.repeat(2_000) };
  await expect(link.ask(request, 60_000)).rejects.toThrow(tooLarge);
  expect(socket.sent).toEqual([]);
});

test('an event that is too large is left out, and the next one says so', () => {
  const { link, socket } = connect(2_000);
  expect(() => link.sendEvent('rolls', { text: 'x'.repeat(2_000) })).toThrow(tooLarge);
  expect(link.sendEvent('rolls', { n: 1 })).toBe(true);
  expect(socket.sent).toEqual([{ type: 'roll-data', data: { n: 1 }, dropped: 1 }]);
});

test('a result that is too large becomes an error reply, and other commands are answered', async () => {
  const text = 'x'.repeat(megabytes16);
  const { peer, errors } = await connectModule({
    players: () => ({ users: [], text }),
    encounters: () => ({ encounters: [] }),
  });
  peer.send({ type: 'players', requestId: 'p' });
  peer.send({ type: 'encounters', requestId: 'e' });
  expect(await peer.frame({ requestId: 'p' })).toEqual({
    type: 'players-result',
    requestId: 'p',
    error:
      'The result cannot be sent. It is larger than 16 MiB, which is the most that the relay takes; ask for less.',
    code: 'result_too_large',
  });
  expect(await peer.frame({ requestId: 'e' })).toMatchObject({ encounters: [] });
  expect(errors).toEqual([tooLarge]);
});

test('an event that is too large for the module’s `emit` is told as an error, and does not throw', async () => {
  const { module, errors, peer } = await connectModule({});
  peer.send({ type: 'event-subscription-update', channel: 'roll-events', count: 1 });
  await expect.poll(() => module.listeners('rolls')).toBe(1);
  expect(module.emit('rolls', { text: 'x'.repeat(megabytes16) } as never)).toBe(false);
  expect(errors).toEqual([tooLarge]);
});
