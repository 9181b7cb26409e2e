import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RelayError } from '../requests/relay-error.ts';
import { createSocketEvents } from './socket-events.ts';
import { SocketLine } from './socket-line.ts';
import type { LineOptions, SocketMessage } from './socket-line.ts';

type Listener = (event: never) => void;

/** A WebSocket whose other end is the test. */
class FakeSocket {
  readonly sent: SocketMessage[] = [];
  isClosed = false;
  readonly #listeners = new Map<string, Listener[]>();

  constructor() {
    sockets.push(this);
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as SocketMessage);
  }

  /** As where the other end does not answer: `close` comes when the test says so. */
  close(): void {
    this.isClosed = true;
  }

  emit(type: string, event: object = {}): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event as never);
  }

  tell(message: object): void {
    this.emit('message', { data: JSON.stringify(message) });
  }

  lose(code = 1006): void {
    this.emit('close', { code, reason: '' });
  }

  asked(type: string): SocketMessage {
    const found = this.sent.findLast((message) => message.type === type);
    if (!found) throw new Error(`no ${type} was sent`);
    return found;
  }
}

let sockets: FakeSocket[] = [];
const socketAt = (index: number): FakeSocket => sockets.at(index) as FakeSocket;

beforeEach(() => {
  sockets = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function openLine(options: Partial<LineOptions> = {}): Promise<SocketLine> {
  const line = new SocketLine({
    url: 'http://relay.test', apiKey: 'key', WebSocket: FakeSocket, silentMs: 40_000, onInterrupted: undefined, ...options,
  }); // prettier-ignore
  const opened = line.open();
  socketAt(-1).tell({ type: 'connected' });
  await opened;
  return line;
}

/** Lets promises go on, and time pass. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a line that is closed while it waits to come back, or comes back, leaves no socket and no timer', async () => {
  const waiting = await openLine();
  socketAt(-1).lose();
  await pass(0);
  waiting.close();
  await pass(0);
  expect(vi.getTimerCount()).toBe(0);

  const coming = await openLine();
  socketAt(-1).lose();
  await pass(2_000);
  expect(sockets).toHaveLength(3);
  coming.close();
  await pass(0);
  expect(socketAt(-1).isClosed).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('an `onInterrupted` that throws ends the line, and whoever waits is told', async () => {
  const line = await openLine({
    onInterrupted: () => {
      throw new Error('theirs');
    },
  });
  const asked = line.ask({ type: 'players' }, { timeoutMs: 30_000, isRepeatable: true });
  const refused = asked.catch((error: unknown) => error);
  await pass(0);
  socketAt(-1).lose();
  expect(await refused).toBeInstanceOf(RelayError);
  const ended = await line.ended;
  expect([ended, ended?.cause]).toEqual([expect.any(RelayError), new Error('theirs')]);
  await expect(line.ask({ type: 'players' }, { timeoutMs: 30_000, isRepeatable: true })).rejects.toThrow(
    'theirs',
  );
});

test('a connection that was given up is not taken up again by a late word', async () => {
  const line = await openLine();
  socketAt(-1).lose();
  await pass(2_000);
  const late = socketAt(-1);
  await pass(50_000);
  expect(late.isClosed).toBe(true);
  late.tell({ type: 'connected' });
  const asked = line.ask({ type: 'players' }, { timeoutMs: 300_000, isRepeatable: true });
  await pass(0);
  expect(late.sent).toEqual([]);
  await pass(60_000);
  socketAt(-1).tell({ type: 'connected' });
  await pass(0);
  socketAt(-1).tell({ type: 'players-result', requestId: socketAt(-1).asked('players')['requestId'] });
  await expect(asked).resolves.toMatchObject({ type: 'players-result' });
  line.close();
});

test('a relay that accepts and cuts again is asked later each time', async () => {
  const waits: number[] = [];
  const line = await openLine({ onInterrupted: (_error, waitMs) => waits.push(waitMs) });
  for (let round = 0; round < 6; round++) {
    socketAt(-1).lose();
    await pass(39_000);
    socketAt(-1).tell({ type: 'connected' });
    await pass(10);
  }
  expect(waits.at(-1)).toBeGreaterThan(20_000);
  // After a connection that lasted it is as at first.
  await pass(35_000);
  socketAt(-1).tell({ type: 'pong' });
  socketAt(-1).lose();
  await pass(0);
  expect(waits.at(-1)).toBeLessThan(1_500);
  line.close();
});

test('a relay that says when is not asked before, and later each time all the same', async () => {
  const waits: number[] = [];
  const line = await openLine({ onInterrupted: (_error, waitMs) => waits.push(waitMs) });
  const problem = {
    code: 'rate_limited',
    detail: 'Full.',
    status: 429,
    retryable: true,
    outcome: 'not_sent',
  };
  socketAt(-1).lose();
  for (let round = 0; round < 7; round++) {
    await pass(45_000);
    socketAt(-1).tell({ type: 'error', error: 'Full.', problem, retryAfterMs: 5_000 });
    socketAt(-1).lose(4429);
  }
  await pass(0);
  expect(waits[1]).toBeGreaterThanOrEqual(5_000);
  expect(waits.at(-1)).toBeGreaterThan(20_000);
  line.close();
});

test('a message that is no JSON is refused at once, and not by a time-out', async () => {
  const line = await openLine();
  const message = { type: 'subscribe', filters: { count: 1n } };
  await expect(line.ask(message, { timeoutMs: 15_000, isRepeatable: true })).rejects.toBeInstanceOf(
    TypeError,
  );
  line.close();
});

test('a question that was never sent fails as not sent', async () => {
  const line = await openLine();
  socketAt(-1).lose();
  const asked = line.ask({ type: 'players' }, { timeoutMs: 300_000, isRepeatable: false });
  const refused = asked.catch((error: unknown) => error);
  await pass(0);
  line.close();
  expect(await refused).toMatchObject({ outcome: 'not_sent' });
});

test('an instance that goes away is left when it says, or for the next call at once, and answers what it was asked', async () => {
  const line = await openLine();
  const old = socketAt(-1);
  const long = line.ask({ type: 'players' }, { timeoutMs: 60_000, isRepeatable: true });
  await pass(0);
  old.tell({ type: 'going-away', retryAfterMs: 30_000 });
  await pass(1_000);
  expect(sockets).toHaveLength(1);
  const next = line.ask({ type: 'world-info' }, { timeoutMs: 10_000, isRepeatable: true });
  await pass(0);
  expect(sockets).toHaveLength(2);
  socketAt(-1).tell({ type: 'connected' });
  await pass(0);
  socketAt(-1).tell({ type: 'world-info-result', requestId: socketAt(-1).asked('world-info')['requestId'] });
  await expect(next).resolves.toMatchObject({ type: 'world-info-result' });
  old.tell({ type: 'players-result', requestId: old.asked('players')['requestId'] });
  await expect(long).resolves.toMatchObject({ type: 'players-result' });
  old.lose(1012);
  await pass(5_000);
  expect(sockets).toHaveLength(2);
  line.close();
});

test('events that come before their subscription is answered are told once', async () => {
  const line = await openLine();
  const loop = createSocketEvents(line, 'world').chat();
  const events = loop[Symbol.asyncIterator]();
  const first = events.next();
  await pass(0);
  const socket = socketAt(-1);
  const { requestId, subscriptionId } = socket.asked('subscribe');
  const facts = { subscriptionId, channel: 'chat', clientId: 'world' };
  const event = (n: number) => ({
    type: 'chat-event',
    ...facts,
    id: `g:${n}`,
    event: 'chat-create',
    data: { n },
  });
  // What an earlier answer, that came too late, has brought.
  socket.tell(event(1));
  socket.tell({ type: 'subscribed', requestId, ...facts, id: 'g:0', recovered: true });
  socket.tell(event(1));
  socket.tell(event(2));
  expect(await first).toMatchObject({ value: { event: 'connected' } });
  expect(await events.next()).toMatchObject({ value: { data: { n: 1 } } });
  expect(await events.next()).toMatchObject({ value: { data: { n: 2 } } });
  line.close();
});
