import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeWebSocket } from '../../test/fake-socket.ts';
import type { FakeSocket } from '../../test/fake-socket.ts';
import { paired, world } from '../../test/fixtures.ts';
import { createMemory } from '../commands/memory.ts';
import type { ModuleStatus } from '../tabletop-module.ts';
import type { ConnectionOptions } from './connection.ts';
import { createConnection } from './connection.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = () => vi.advanceTimersByTimeAsync(0);

function setUp(options: Partial<ConnectionOptions> = {}) {
  const { WebSocket, sockets } = createFakeWebSocket();
  const statuses: ModuleStatus[] = [];
  const listeners: [string, number][] = [];
  const onError = vi.fn<(error: unknown) => void>();
  const line = createConnection({
    world, handlers: {}, declares: {}, standby: false, trace: undefined, memory: createMemory(), url: undefined, allowInsecure: false, WebSocket, onError,
    storage: paired('wss://relay.example'),
    random: () => 0.5,
    onStatus: (status) => statuses.push(status),
    onListeners: (channel, count) => void listeners.push([channel, count]),
    onPauses: () => {},
    ...options,
  }); // prettier-ignore
  const socket = (index: number) => sockets[index] as FakeSocket;
  async function connect() {
    line.start();
    await settle();
    socket(0).isLetIn();
  }
  /** The first socket says that it goes away, and the second is opened. */
  async function comeOver() {
    await connect();
    socket(0).hears({ type: 'reconnect', afterMs: 1_000, handover: 'h' });
    await vi.advanceTimersByTimeAsync(1_000);
  }
  const states = () => statuses.map(({ state }) => state);
  return { line, sockets, socket, statuses, states, listeners, onError, connect, comeOver };
}

const closed: ModuleStatus = { state: 'closed', code: 'closed', reason: 'Bye' };

describe('a line', () => {
  it('that is started twice opens one socket, and one that is stopped leaves no timer', async () => {
    const { line, sockets, socket, connect } = setUp();
    await connect();
    line.start();
    await settle();
    expect(sockets).toHaveLength(1);
    line.stop(closed);
    expect(socket(0).closed.mock.calls).toEqual([[1000]]);
    expect(line.link()).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that is stopped while its socket opens closes that one too', async () => {
    const { line, socket } = setUp();
    line.start();
    await settle();
    line.stop(closed);
    expect(socket(0).closed).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('whose storage fails says so, and waits as after a lost connection', async () => {
    const { line, statuses, onError } = setUp({
      storage: { load: () => Promise.reject(new Error('disk full')), save: () => {} },
    });
    line.start();
    await settle();
    expect(onError).toHaveBeenCalledTimes(1);
    expect(statuses.at(-1)).toMatchObject({ state: 'waiting', closeCode: 1006, reason: 'disk full' });
    line.stop(closed);
  });

  it.each([
    ['Bye', 'Bye'],
    ['', 'The relay closed'],
  ])('that the relay ends with "%s" is closed, and tries nothing more', async (said, reason) => {
    const { sockets, socket, statuses, connect } = setUp();
    await connect();
    socket(0).closes(1000, said);
    expect(statuses.at(-1)).toEqual({ state: 'closed', code: 'closed', reason });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(sockets).toHaveLength(1);
  });

  it('that is lost waits longer each time, and names the code where there is no reason', async () => {
    const { sockets, socket, statuses, connect } = setUp();
    await connect();
    socket(0).closes(1006);
    expect(statuses.at(-1)).toMatchObject({ state: 'waiting', closeCode: 1006, reason: 'Closed (1006)' });
    await vi.advanceTimersByTimeAsync(500);
    expect(sockets).toHaveLength(2);
    socket(1).closes(1006, 'no route');
    expect(statuses.at(-1)).toMatchObject({ reason: 'no route' });
    await vi.advanceTimersByTimeAsync(999);
    expect(sockets).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(sockets).toHaveLength(3);
  });
});

describe('an instance that goes away', () => {
  it('is left for another, and goes on answering for a minute at most', async () => {
    const { line, sockets, socket, states, comeOver } = setUp();
    await comeOver();
    expect(sockets).toHaveLength(2);
    expect(line.link()?.send({ type: 'x' })).toBe(true);
    expect(socket(0).sent.at(-1)).toEqual({ type: 'x' });
    socket(1).isLetIn('two');
    expect(socket(1).sent[0]).toMatchObject({ type: 'auth', handover: 'h' });
    line.link()?.send({ type: 'y' });
    expect(socket(1).sent.at(-1)).toEqual({ type: 'y' });
    expect(socket(0).closed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(socket(0).closed).toHaveBeenCalledTimes(1);
    expect(states()).toEqual(['connecting', 'connected', 'connected']);
    line.stop(closed);
  });

  it('says nothing more of listeners once it is left', async () => {
    const { line, socket, listeners, comeOver } = setUp();
    await comeOver();
    socket(1).isLetIn('two');
    const update = { type: 'event-subscription-update', channel: 'roll-events' };
    socket(0).hears({ ...update, count: 0 });
    expect(listeners).toEqual([]);
    socket(1).hears({ ...update, count: 2 });
    expect(listeners).toEqual([['rolls', 2]]);
    socket(0).hears({ type: 'reconnect', afterMs: 0 });
    await settle();
    line.stop(closed);
    expect(socket(0).closed).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that closes after it was left changes nothing', async () => {
    const { line, sockets, socket, states, comeOver } = setUp();
    await comeOver();
    socket(1).isLetIn('two');
    socket(0).closes(1012);
    await vi.advanceTimersByTimeAsync(500_000);
    expect(sockets).toHaveLength(2);
    expect(states()).toEqual(['connecting', 'connected', 'connected']);
    line.stop(closed);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that says so again while the next socket opens is not left twice', async () => {
    const { line, sockets, socket, comeOver } = setUp();
    await comeOver();
    socket(0).hears({ type: 'reconnect', afterMs: 10, handover: 'again' });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sockets).toHaveLength(2);
    line.stop(closed);
  });

  it('that dies while the next socket opens is waited for on that one', async () => {
    const { line, sockets, socket, states, comeOver } = setUp();
    await comeOver();
    socket(0).closes(1006);
    expect(states()).toEqual(['connecting', 'connected', 'connecting']);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sockets).toHaveLength(2);
    socket(1).isLetIn('two');
    expect(states().at(-1)).toBe('connected');
    line.stop(closed);
  });

  it('whose successor does not let the module in is asked again soon, and still serves', async () => {
    const { line, sockets, socket, states, comeOver } = setUp();
    await comeOver();
    socket(1).closes(4004);
    expect(line.link()?.send({ type: 'x' })).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sockets).toHaveLength(3);
    socket(2).isLetIn('two');
    expect(states()).toEqual(['connecting', 'connected', 'connected']);
    line.stop(closed);
  });
});
