import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWiredSocket } from './wired-socket.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const times = { servedMs: 1_000, returnsWithinMs: 30_000 };

test.each([
  ['a pong', 'pong', true],
  ['any frame', 'message', true],
  ['its end', 'close', false],
])('of a socket that is probed %s tells whether it lives', async (_what, event, isAlive) => {
  const { socket, ws } = createWiredSocket();
  const [first, second] = [socket.probe(2_000), socket.probe(2_000)];
  expect(ws.ping).toHaveBeenCalledOnce();
  ws.emit(event);
  expect(await Promise.all([first, second])).toEqual([isAlive, isAlive]);
  expect(['pong', 'message', 'close'].map((name) => ws.listenerCount(name))).toEqual([0, 0, 0]);
  void socket.probe(2_000);
  expect(ws.ping).toHaveBeenCalledTimes(2);
});

test('a socket that does not answer its probe in time is dead, and a closed one at once', async () => {
  const { socket, ws } = createWiredSocket();
  const ended: boolean[] = [];
  void socket.probe(2_000).then((isAlive) => ended.push(isAlive));
  await vi.advanceTimersByTimeAsync(1_980);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(80);
  expect(ended).toEqual([false]);
  ws.readyState = 2;
  expect(await socket.probe(2_000)).toBe(false);
  expect(ws.ping).toHaveBeenCalledOnce();
});

test('a socket that is not read counts as alive, since its answer would not be read', async () => {
  const { socket, ws } = createWiredSocket();
  socket.inflow.stop('frames');
  expect(await socket.probe(2_000)).toBe(true);
  expect(ws.ping).not.toHaveBeenCalled();
});

test('only an open socket is pinged', () => {
  const { socket, ws } = createWiredSocket();
  socket.ping();
  ws.readyState = 2;
  socket.ping();
  expect(ws.ping).toHaveBeenCalledOnce();
});

test('a client that comes over to its next socket ends the leaving of the old one', async () => {
  const { socket, ws } = createWiredSocket();
  const leaving = socket.startLeaving(times);
  expect([socket.isLeaving, socket.returnsWithinMs, socket.isServing]).toEqual([true, 30_000, true]);
  socket.supersede();
  expect(await leaving).toBe('succeeded');
  expect([socket.isMoving, socket.isSucceeded, socket.isServing]).toEqual([true, true, false]);
  expect([ws.listenerCount('close'), vi.getTimerCount()]).toEqual([0, 0]);
  expect(ws.close).not.toHaveBeenCalled();
});

test('a socket that is told to leave and ends is told apart from one that stays', async () => {
  const closed = createWiredSocket();
  const closing = closed.socket.startLeaving(times);
  closed.ws.emit('close');
  expect(await closing).toBe('closed');
  const late = createWiredSocket();
  const staying = late.socket.startLeaving(times);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await staying).toBe('late');
  late.socket.stay();
  expect([late.socket.isLeaving, late.socket.returnsWithinMs]).toEqual([false, 0]);
});

test('another browser closes a socket that was told nothing, or that may stay', () => {
  const { socket, ws } = createWiredSocket();
  socket.supersede();
  expect(ws.close.mock.calls).toEqual([[4004, 'Another browser is connected as this client']]);
  void socket.startLeaving(times);
  socket.stay();
  socket.supersede();
  expect(ws.close).toHaveBeenCalledTimes(2);
  expect(socket.isSucceeded).toBe(false);
});

test('only a socket that is sent away has time to come back', () => {
  const { socket, ws } = createWiredSocket();
  void socket.startLeaving(times);
  socket.close('goingAway');
  expect(socket.returnsWithinMs).toBe(30_000);
  socket.close('temporary', 'x'.repeat(200));
  expect(socket.returnsWithinMs).toBe(0);
  expect(ws.close.mock.calls[1]).toEqual([4000, 'x'.repeat(120)]);
  socket.giveUpFrame();
  expect(ws.close.mock.calls[2]).toEqual([4000, 'A large frame was not whole in time']);
});

test('a module that sends too much for too long is closed, with the rates that it broke', () => {
  const inflow = {
    bytesPerSecond: 10,
    burstBytes: 10,
    framesPerSecond: 5,
    burstFrames: 5,
    patienceMs: 1_000,
  };
  const { socket, ws, onThrottle } = createWiredSocket({ limits: { inflow } });
  socket.inflow.countBytes(20);
  expect(onThrottle.mock.calls).toEqual([[socket, 'begins']]);
  expect(ws.close).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_200);
  socket.inflow.countBytes(30);
  expect(onThrottle.mock.calls[1]).toEqual([socket, 'too long']);
  expect(ws.close.mock.calls).toEqual([[4000, 'Above 10 bytes or 5 frames a second for 1 s']]);
});

test('the end of a socket has the relay’s own code where the relay closed it, and its first one', () => {
  const { socket } = createWiredSocket();
  expect(socket.endCode(1001)).toBe(1001);
  socket.close('tokenInvalid');
  socket.close('temporary');
  expect([1000, 1005, 1006].map((code) => socket.endCode(code))).toEqual([4002, 4002, 4002]);
});
