import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeWebSocket } from '../../test/fake-socket.ts';
import type { FakeSocket } from '../../test/fake-socket.ts';
import type { Handlers } from '../commands/handlers.ts';
import { createMemory } from '../commands/memory.ts';
import type { LinkOptions } from './link.ts';
import { openLink } from './link.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(options: Partial<LinkOptions> = {}) {
  const { WebSocket, sockets } = createFakeWebSocket();
  const onReady = vi.fn<LinkOptions['onReady']>();
  const onListeners = vi.fn<LinkOptions['onListeners']>();
  const onGoingAway = vi.fn<LinkOptions['onGoingAway']>();
  const onEnd = vi.fn<LinkOptions['onEnd']>();
  const onError = vi.fn<LinkOptions['onError']>();
  const link = openLink({
    WebSocket,
    url: 'wss://relay.example/relay',
    token: 'trc_token',
    handlers: {},
    declares: {},
    standby: false,
    onStandby: () => {},
    trace: undefined,
    memory: createMemory(),
    leftOut: new Map(),
    onReady, onListeners, onPauses: () => {}, onGoingAway, onEnd, onError, ...options,
  }); // prettier-ignore
  const socket = sockets[0] as FakeSocket;
  const hear = (data: unknown) => socket.hears(data);
  const open = () => socket.opens();
  const welcome = (more: object = {}) =>
    hear({ type: 'auth-success', clientId: 'c', instanceId: 'one', heartbeatMs: 1_000, ...more });
  const closes = (code: number, reason = '') => socket.closes(code, reason);
  /** Authenticated, with nothing sent since. */
  const ready = () => {
    open();
    welcome();
    socket.sent.length = 0;
  };
  return {
    link,
    socket,
    onReady,
    onListeners,
    onGoingAway,
    onEnd,
    onError,
    hear,
    open,
    welcome,
    closes,
    ready,
  };
}

describe('a socket', () => {
  it('authenticates as soon as it is open, and sends nothing before it is let in', () => {
    const { link, socket, open, welcome, onReady } = setUp({ handover: 'h', declares: { checksUser: true } });
    expect(link.send({ type: 'x' })).toBe(false);
    open();
    const remembers = expect.stringMatching(/^[0-9a-f]{32}$/);
    const auth = { type: 'auth', token: 'trc_token', handover: 'h', handsOver: true, remembers };
    expect(socket.sent).toEqual([{ ...auth, checksUser: true }]);
    expect(link.send({ type: 'x' })).toBe(false);
    welcome();
    expect(onReady.mock.calls).toEqual([[{ clientId: 'c', instanceId: 'one' }]]);
    expect(link.send({ type: 'x' })).toBe(true);
    socket.readyState = 2;
    expect(link.send({ type: 'x' })).toBe(false);
    expect(socket.sent).toHaveLength(2);
  });

  it('does what it is told only once it is let in, and is let in once', () => {
    const { hear, open, welcome, onReady, onListeners, socket } = setUp();
    open();
    hear({ type: 'event-subscription-update', channel: 'roll-events', count: 1 });
    hear({ type: 'players', requestId: 'r1' });
    expect(onReady).not.toHaveBeenCalled();
    expect(onListeners).not.toHaveBeenCalled();
    expect(socket.sent).toHaveLength(1);
    welcome();
    welcome();
    expect(onReady).toHaveBeenCalledTimes(1);
  });

  it.each([
    'no JSON',
    '7',
    'null',
    '[]',
    '{"type":7}',
    '{"type":7,"requestId":"r"}',
    '{"requestId":"r"}',
    '{}',
    new Uint8Array([1]),
  ])('hears %j without harm', async (data) => {
    const { hear, ready, onError, socket } = setUp();
    ready();
    hear(data);
    hear({ type: 'players', requestId: 'after' });
    await vi.waitUntil(() => socket.sent.length > 0);
    expect(socket.sent).toEqual([expect.objectContaining({ requestId: 'after' })]);
    expect(onError).not.toHaveBeenCalled();
  });

  it('that is not let in in time is given up, and says so once', () => {
    const { open, closes, socket, onEnd } = setUp();
    vi.advanceTimersByTime(29_999);
    open();
    vi.advanceTimersByTime(74_999);
    expect(onEnd).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    closes(1006);
    expect(onEnd.mock.calls).toEqual([
      [{ code: 1006, reason: 'The relay did not answer in time', readyForMs: 0 }],
    ]);
    expect(socket.closed).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that does not open in time is given up, and authenticates no more', () => {
    const { open, socket, onEnd } = setUp();
    vi.advanceTimersByTime(30_000);
    expect(onEnd).toHaveBeenCalledTimes(1);
    open();
    expect(socket.sent).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells how long it held when it ends, and hears nothing more', () => {
    const { ready, closes, hear, link, onEnd, onListeners } = setUp();
    ready();
    vi.advanceTimersByTime(500);
    closes(1012, 'restart');
    hear({ type: 'event-subscription-update', channel: 'roll-events', count: 1 });
    expect(onEnd.mock.calls).toEqual([[{ code: 1012, reason: 'restart', readyForMs: 500 }]]);
    expect(onListeners).not.toHaveBeenCalled();
    expect(link.send({ type: 'x' })).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that we close ends without a word', () => {
    const { ready, closes, link, socket, onEnd } = setUp();
    ready();
    link.close();
    link.close();
    closes(1000);
    expect(socket.closed.mock.calls).toEqual([[1000]]);
    expect(onEnd).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('what the relay says', () => {
  it('of listeners is told for channels and counts that there are', () => {
    const { hear, ready, onListeners } = setUp();
    ready();
    const update = { type: 'event-subscription-update', channel: 'roll-events' };
    hear({ ...update, count: 3 });
    hear({ ...update, count: -3 });
    hear({ ...update, count: '3' });
    hear({ ...update });
    hear({ ...update, channel: 'rolls', count: 1 });
    expect(onListeners.mock.calls).toEqual([
      ['rolls', 3],
      ['rolls', 0],
    ]);
  });

  it('of going away is told with its time, and its handover where it is one', () => {
    const { hear, ready, onGoingAway } = setUp();
    ready();
    hear({ type: 'reconnect', afterMs: 5_000, handover: 'h' });
    hear({ type: 'reconnect', afterMs: 10_000_000, handover: 7 });
    hear({ type: 'reconnect', afterMs: 'soon' });
    expect(onGoingAway.mock.calls).toEqual([
      [5_000, 'h'],
      [300_000, undefined],
    ]);
  });

  it('against a frame is told as an error', () => {
    const { hear, ready, onError } = setUp();
    ready();
    hear({ type: 'error', code: 'invalid_frame' });
    expect(String(onError.mock.calls[0]?.[0])).toContain('The relay refused a frame: "invalid_frame"');
  });

  it('is no command without an id', () => {
    const { hear, ready, socket } = setUp();
    ready();
    hear({ type: 'players' });
    hear({ type: 'players', requestId: 7 });
    expect(socket.sent).toEqual([]);
  });
});

describe('commands', () => {
  const encounters = () => ({ encounters: [] });

  it('have the id of a user, where it is a text', async () => {
    const seen: (string | undefined)[] = [];
    const players: Handlers['players'] = (_, { userId }) => (seen.push(userId), { users: [] });
    const { hear, ready, socket } = setUp({ handlers: { players } });
    ready();
    const given = ['gm', 7, null, ['gm']];
    for (const [index, userId] of given.entries()) hear({ type: 'players', requestId: `p_${index}`, userId });
    await vi.waitUntil(() => socket.sent.length === given.length);
    expect(seen).toEqual(['gm', undefined, undefined, undefined]);
  });

  it('that are cancelled may fail, and that is no error', async () => {
    const players: Handlers['players'] = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const { hear, ready, socket, onError } = setUp({ handlers: { players, encounters } });
    ready();
    hear({ type: 'players', requestId: 'p' });
    hear({ type: 'cancel', requestId: 'p' });
    hear({ type: 'encounters', requestId: 'after' });
    await vi.waitUntil(() => socket.sent.length > 0);
    expect(socket.sent).toEqual([{ type: 'encounters-result', requestId: 'after', encounters: [] }]);
    expect(onError).not.toHaveBeenCalled();
  });
});

describe('events', () => {
  it('are left out while too much waits to be sent, and the next one says how many', () => {
    const { link, socket, ready } = setUp();
    ready();
    socket.bufferedAmount = 4 * 1024 * 1024;
    expect(link.sendEvent('rolls', { n: 1 })).toBe(false);
    expect(link.sendEvent('rolls', { n: 2 })).toBe(false);
    socket.bufferedAmount -= 1;
    expect(link.sendEvent('chat', { n: 3 }, { visibleTo: ['cleo'] })).toBe(true);
    expect(link.sendEvent('rolls', { n: 4 })).toBe(true);
    expect(link.sendEvent('rolls', { n: 5 })).toBe(true);
    expect(socket.sent).toEqual([
      { type: 'chat-event', data: { n: 3 }, visibleTo: ['cleo'] },
      { type: 'roll-data', data: { n: 4 }, dropped: 2 },
      { type: 'roll-data', data: { n: 5 } },
    ]);
  });

  it('that were left out are still owed where the next is not sent', () => {
    const leftOut = new Map([['rolls', 2] as const]);
    const { link, open } = setUp({ leftOut });
    open();
    expect(link.sendEvent('rolls', {})).toBe(false);
    expect(leftOut.get('rolls')).toBe(2);
  });
});
