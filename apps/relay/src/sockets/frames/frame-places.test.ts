import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SocketLink } from '../client-socket.ts';
import { countArrivals, createFramePlaces } from './inflow.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const large = 1_001;

function setUp() {
  const framePlaces = createFramePlaces({
    largeFrameBytes: 1_000,
    places: 4,
    frameMs: 30_000,
  });
  const world = (accountId: string) => {
    const reasons = new Set<string>();
    const inflow = {
      get isStopped() {
        return reasons.size > 0;
      },
      stop: (why: string) => void reasons.add(why),
      resume: (why: string) => void reasons.delete(why),
    };
    const state = {
      get isStopped() {
        return inflow.isStopped;
      },
      isGivenUp: false,
    };
    const giveUpFrame = () => void (state.isGivenUp = true);
    return { state, inflow, ...framePlaces.arrivalsOf({ identity: { accountId }, inflow, giveUpFrame }) };
  };
  return { world };
}

test('small frames are read whatever else arrives, and large ones up to the number of places', () => {
  const { world } = setUp();
  const worlds = ['a', 'a', 'b', 'b', 'c'].map(world);
  for (const one of worlds) one.count(large);
  expect(worlds.map(({ state }) => state.isStopped)).toEqual([false, false, false, false, true]);
  const small = world('d');
  small.count(1_000);
  small.end();
  small.count(1_000);
  expect(small.state.isStopped).toBe(false);
  worlds[0]?.end();
  expect(worlds[4]?.state.isStopped).toBe(false);
});

test('an account gets half of the places, and others pass those of its worlds that wait', () => {
  const { world } = setUp();
  const [first, second, third] = ['a', 'a', 'a'].map(world);
  for (const one of [first, second, third]) one?.count(large);
  const other = world('b');
  other.count(large);
  expect([third?.state.isStopped, other.state.isStopped]).toEqual([true, false]);
  other.end();
  expect(third?.state.isStopped).toBe(true);
  first?.end();
  expect(third?.state.isStopped).toBe(false);
});

test('a world that leaves while it waits takes no place later', () => {
  const { world } = setUp();
  const worlds = ['a', 'a', 'b', 'b'].map(world);
  for (const one of worlds) one.count(large);
  const [gone, next] = [world('c'), world('d')];
  gone.count(large);
  next.count(large);
  gone.end();
  expect(gone.state.isStopped).toBe(false);
  worlds[0]?.end();
  expect(next.state.isStopped).toBe(false);
  const last = world('e');
  last.count(large);
  expect(last.state.isStopped).toBe(true);
});

test('a frame that is not whole in time is given up, unless the relay itself did not read it', () => {
  const { world } = setUp();
  const [slow, queued, quick] = ['a', 'b', 'c'].map(world);
  for (const one of [slow, queued, quick]) one?.count(large);
  queued?.inflow.stop('queue');
  quick?.end();
  vi.advanceTimersByTime(31_000);
  expect([slow, queued, quick].map((one) => one?.state.isGivenUp)).toEqual([true, false, false]);
  // Once it is read again, it has the whole time once more.
  queued?.inflow.resume('queue');
  vi.advanceTimersByTime(31_000);
  expect(queued?.state.isGivenUp).toBe(true);
});

test('a large frame has one place and one deadline, in however many chunks it comes', () => {
  const { world } = setUp();
  const one = world('a');
  for (let chunk = 0; chunk < 10; chunk++) one.count(large);
  const others = ['b', 'b', 'c'].map(world);
  for (const other of others) other.count(large);
  expect(others.map(({ state }) => state.isStopped)).toEqual([false, false, false]);
  one.end();
  vi.advanceTimersByTime(31_000);
  expect(one.state.isGivenUp).toBe(false);
});

test('what comes over a socket counts until a message is whole, or nothing of one is under way', () => {
  const counted: (number | 'end')[] = [];
  const [ws, transport] = [new EventEmitter(), new EventEmitter()];
  const arrivals = {
    count: (bytes: number) => void counted.push(bytes),
    end: () => void counted.push('end'),
  };
  countArrivals({ ws, transport } as unknown as SocketLink, arrivals);
  transport.emit('data', Buffer.alloc(100));
  ws.emit('ping', Buffer.alloc(4));
  ws.emit('message', Buffer.alloc(90), false);
  // A whole message and two control frames, of which the second came in two chunks.
  transport.emit('data', Buffer.alloc(110));
  ws.emit('message', Buffer.alloc(90), false);
  ws.emit('pong', Buffer.alloc(4));
  transport.emit('data', Buffer.alloc(6));
  ws.emit('ping', Buffer.alloc(4));
  ws.emit('close');
  expect(counted).toEqual([356, 'end', 366, 'end', 'end', 262, 'end', 'end']);
});

test('pings between the parts of a frame do not make the chunks smaller in which it is kept', () => {
  const { world } = setUp();
  const endless = world('a');
  const [ws, transport] = [new EventEmitter(), new EventEmitter()];
  countArrivals({ ws, transport } as unknown as SocketLink, endless);
  for (let chunk = 0; chunk < 4; chunk++) {
    // A part of one byte, whose slice keeps its chunk, and a ping.
    transport.emit('data', Buffer.alloc(7 + 131));
    ws.emit('ping', Buffer.alloc(125));
  }
  vi.advanceTimersByTime(31_000);
  expect(endless.state.isGivenUp).toBe(true);
});

test('a frame that comes byte by byte takes a place before its pieces take memory', () => {
  const { world } = setUp();
  const endless = world('a');
  const [ws, transport] = [new EventEmitter(), new EventEmitter()];
  countArrivals({ ws, transport } as unknown as SocketLink, endless);
  for (let piece = 0; piece < 4; piece++) transport.emit('data', Buffer.alloc(1));
  vi.advanceTimersByTime(31_000);
  expect(endless.state.isGivenUp).toBe(true);
});

test('a world that does nothing but answer pings has no frame under way, however long', () => {
  const { world } = setUp();
  const quiet = world('a');
  const [ws, transport] = [new EventEmitter(), new EventEmitter()];
  countArrivals({ ws, transport } as unknown as SocketLink, quiet);
  for (let pong = 0; pong < 10_000; pong++) {
    transport.emit('data', Buffer.alloc(6));
    ws.emit('pong', Buffer.alloc(0));
  }
  vi.advanceTimersByTime(31_000);
  expect(quiet.state.isGivenUp).toBe(false);
});

test('a large frame that comes in one chunk leaves its place at once', () => {
  const { world } = setUp();
  const worlds = ['a', 'b', 'c', 'd', 'e'].map((accountId) => {
    const one = world(accountId);
    const [ws, transport] = [new EventEmitter(), new EventEmitter()];
    // As the WebSocket does: it reads the chunk, and has the frame before any other listener has the chunk.
    transport.on('data', () => ws.emit('message'));
    countArrivals({ ws, transport } as unknown as SocketLink, one);
    return { ...one, transport };
  });
  for (const { transport } of worlds) transport.emit('data', Buffer.alloc(large));
  expect(worlds.map(({ state }) => state.isStopped)).toEqual([false, false, false, false, false]);
});
