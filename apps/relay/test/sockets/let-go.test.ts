import type { Cluster } from '@tabletop-relay/cluster';
import { operations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clusterMember } from '../../src/calls/cluster-member.ts';
import type { ClusterMemberDeps } from '../../src/calls/cluster-member.ts';
import { createRelayMetrics } from '../../src/metrics.ts';
import type { ConnectionLog } from '../../src/sockets/admission/connection-log.ts';
import type { ClientSocket } from '../../src/sockets/client-socket.ts';
import { letGo } from '../../src/sockets/leaving/let-go.ts';
import { createShedder } from '../../src/sockets/leaving/shed.ts';
import { createWiredSocket } from './wired-socket.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const log = pino({ level: 'silent' });

function createCluster() {
  const directory = {
    offer: vi.fn<Cluster['directory']['offer']>().mockResolvedValue(undefined),
    release: vi.fn<Cluster['directory']['release']>().mockResolvedValue(undefined),
  };
  const left = vi.fn<ConnectionLog['left']>();
  return { cluster: { directory } as unknown as Cluster, directory, connectionLog: { left }, left };
}

function drain(config: { drainSpreadMs: number; drainGraceMs: number }) {
  const { cluster, directory, connectionLog, left } = createCluster();
  const wired = createWiredSocket();
  const state = { isDone: false };
  void letGo(wired.socket, { cluster, connectionLog, config, log }).then(() => (state.isDone = true));
  return { ...wired, directory, left, state };
}

/** The cluster says that the next socket of the client has brought the handover. */
function handOver(socket: ClientSocket, left: ConnectionLog['left']) {
  const clients = { byConn: (conn: string) => (conn === socket.conn ? socket : undefined) };
  const deps = { clients, standbys: {}, router: {}, connectionLog: { left } } as unknown as ClusterMemberDeps;
  clusterMember(deps).evict(socket.conn, 'handed_over');
}

const told = (sent: Record<string, unknown>[]) => sent[0] as { afterMs: number; handover?: string };

test('a module is told when to come back and with what, and served until it has', async () => {
  const { socket, ws, sent, directory, left, state } = drain({ drainSpreadMs: 4_000, drainGraceMs: 5_000 });
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([{ type: 'reconnect', afterMs: expect.any(Number), handover: expect.any(String) }]);
  const { afterMs, handover = '' } = told(sent);
  expect(afterMs).toBeGreaterThanOrEqual(1_000);
  expect(afterMs).toBeLessThanOrEqual(5_000);
  expect(handover).toHaveLength(24);
  expect(directory.offer.mock.calls).toEqual([['client', 'conn', handover]]);
  expect(socket.returnsWithinMs).toBe(afterMs + 5_000 + 30_000);
  socket.supersede();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(left.mock.calls).toEqual([[socket, 'handed_over', null]]);
  expect(ws.close).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect([ws.close.mock.calls[0]?.[0], state.isDone]).toEqual([1012, true]);
  expect(directory.release).not.toHaveBeenCalled();
});

test('a module that does not come is closed at its time, and its client counts as moving', async () => {
  const { socket, ws, sent, directory, left } = drain({ drainSpreadMs: 0, drainGraceMs: 5_000 });
  await vi.advanceTimersByTimeAsync(5_999);
  expect([told(sent).afterMs, socket.isServing]).toEqual([1_000, true]);
  await vi.advanceTimersByTimeAsync(1);
  expect(socket.isServing).toBe(false);
  expect(directory.release.mock.calls).toEqual([['client', 'conn', 30_000]]);
  expect([ws.close.mock.calls[0]?.[0], left.mock.calls]).toEqual([1012, []]);
});

test('without grace a module is told no handover, and its client is kept until it may be back', async () => {
  const { ws, sent, directory } = drain({ drainSpreadMs: 0, drainGraceMs: 0 });
  await vi.advanceTimersByTimeAsync(2);
  expect(sent).toEqual([{ type: 'reconnect', afterMs: 1_000 }]);
  expect(directory.offer).not.toHaveBeenCalled();
  expect(directory.release.mock.calls).toEqual([['client', 'conn', 31_000]]);
  expect(ws.close).toHaveBeenCalledOnce();
});

test('a socket that closes by itself needs no more', async () => {
  const { ws, directory, left, state } = drain({ drainSpreadMs: 0, drainGraceMs: 5_000 });
  await vi.advanceTimersByTimeAsync(0);
  ws.emit('close');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([state.isDone, ws.close.mock.calls, directory.release.mock.calls, left.mock.calls]).toEqual([
    true,
    [],
    [],
    [],
  ]);
});

test('calls in flight, and what the module asked elsewhere, end on the old socket, however long they take', async () => {
  const { socket, ws, sent, directory } = drain({ drainSpreadMs: 0, drainGraceMs: 0 });
  directory.release.mockRejectedValueOnce(new Error('the store is away'));
  const operation = operations[0] as Operation;
  void socket.calls.call(operation, '{}', 60_000).catch(() => {});
  const request = { abandon: () => {}, recheck: () => {} };
  socket.asked.add(request);
  await vi.advanceTimersByTimeAsync(50_000);
  expect(ws.close).not.toHaveBeenCalled();
  const requestId = sent.find(({ type }) => type === operation.name)?.['requestId'];
  socket.calls.receiveReply({ type: `${operation.name}-result`, requestId }, Buffer.from('{}'));
  await vi.advanceTimersByTimeAsync(1);
  expect(ws.close).not.toHaveBeenCalled();
  socket.asked.delete(request);
  await vi.advanceTimersByTimeAsync(1);
  expect(ws.close).toHaveBeenCalledOnce();
  const slow = drain({ drainSpreadMs: 0, drainGraceMs: 0 });
  void slow.socket.calls.call(operation, '{}', 45_000).catch(() => {});
  await vi.advanceTimersByTimeAsync(44_900);
  expect(slow.ws.close).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(slow.ws.close).toHaveBeenCalledOnce();
});

function setUpShedder(count: number, handsOver = true) {
  const { cluster, directory, connectionLog, left } = createCluster();
  const registry = new Registry();
  const worlds = Array.from({ length: count }, () => createWiredSocket());
  for (const { socket } of worlds) socket.identity.declared = { handsOver };
  const draining = new AbortController();
  const { shed } = createShedder({
    clients: { all: () => worlds.map(({ socket }) => socket).values() },
    cluster,
    connectionLog,
    metrics: createRelayMetrics(registry),
    settings: { shedAbovePercent: 125, shedPerMinute: 120, shedLeastWorlds: 10 },
    log,
    draining: draining.signal,
  });
  const running = [
    { worlds: count, isDraining: false },
    { worlds: 0, isDraining: false },
  ] as unknown as Parameters<typeof shed>[0];
  const toldOf = () => worlds.filter(({ sent }) => sent.length > 0);
  return { worlds, draining, registry, directory, left, shed: () => shed(running), toldOf };
}

test('worlds are sent away as fast as the setting says, the oldest first, each once', async () => {
  const { worlds, shed, toldOf } = setUpShedder(100);
  shed();
  await vi.advanceTimersByTimeAsync(0);
  expect(toldOf()).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_500);
  shed();
  await vi.advanceTimersByTimeAsync(0);
  expect(toldOf()).toEqual(worlds.slice(0, 5));
  shed();
  await vi.advanceTimersByTimeAsync(500);
  shed();
  await vi.advanceTimersByTimeAsync(0);
  expect(toldOf()).toEqual(worlds.slice(0, 6));
  expect(worlds[0]?.sent).toHaveLength(1);
});

test('after a long time no more are sent than of ten seconds, and none beyond the mean', async () => {
  const many = setUpShedder(100);
  const few = setUpShedder(20);
  await vi.advanceTimersByTimeAsync(3_600_000);
  many.shed();
  few.shed();
  await vi.advanceTimersByTimeAsync(0);
  expect([many.toldOf().length, few.toldOf().length]).toEqual([20, 10]);
});

test('a world that goes over is counted and closed, one that does not stays', async () => {
  const { worlds, registry, left, shed } = setUpShedder(20);
  await vi.advanceTimersByTimeAsync(1_000);
  shed();
  await vi.advanceTimersByTimeAsync(0);
  const [gone, stays] = worlds;
  gone?.socket.supersede();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(left.mock.calls).toEqual([[gone?.socket, 'handed_over', null]]);
  expect([gone?.ws.close.mock.calls.length, stays?.ws.close.mock.calls.length]).toEqual([1, 0]);
  expect([stays?.socket.isLeaving, stays?.socket.returnsWithinMs]).toEqual([false, 0]);
  const metrics = await registry.metrics();
  expect(metrics).toMatch(/worlds_shed\w*\{outcome="handed_over"\} 1/);
  expect(metrics).toMatch(/worlds_shed\w*\{outcome="stayed"\} 1/);
});

test('no world is sent away by an instance that drains, nor one whose module cannot hand over or is leaving', async () => {
  const draining = setUpShedder(100);
  const unable = setUpShedder(100, false);
  const moving = setUpShedder(100);
  draining.draining.abort();
  for (const { socket } of moving.worlds) socket.isMoving = true;
  await vi.advanceTimersByTimeAsync(60_000);
  for (const one of [draining, unable, moving]) one.shed();
  await vi.advanceTimersByTimeAsync(0);
  expect([draining, unable, moving].flatMap(({ toldOf }) => toldOf())).toEqual([]);
});

test('a world that cannot be told stays', async () => {
  const { worlds, directory, shed } = setUpShedder(20);
  directory.offer.mockRejectedValue(new Error('the store is away'));
  await vi.advanceTimersByTimeAsync(1_000);
  shed();
  await vi.advanceTimersByTimeAsync(1);
  expect(worlds.filter(({ socket }) => socket.isLeaving)).toEqual([]);
});

test('a world that goes over late, when it counts as one that stays, keeps its calls on the old socket', async () => {
  const { worlds, left, shed } = setUpShedder(20);
  await vi.advanceTimersByTimeAsync(1_000);
  shed();
  await vi.advanceTimersByTimeAsync(15_000);
  const [{ socket, ws, sent }] = worlds as [ReturnType<typeof createWiredSocket>];
  expect(socket.isLeaving).toBe(false);
  const operation = operations[0] as Operation;
  const reply = socket.calls.call(operation, '{}', 30_000);
  handOver(socket, left);
  expect([socket.isServing, left.mock.calls]).toEqual([false, [[socket, 'handed_over', null]]]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ws.close).not.toHaveBeenCalled();
  const requestId = sent.at(-1)?.['requestId'];
  socket.calls.receiveReply({ type: `${operation.name}-result`, requestId, users: [] }, Buffer.from('{}'));
  expect(await reply).toBeDefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(ws.close.mock.calls.map(([code]) => code)).toEqual([1012]);
});

test('a world that comes over while its old socket ends the last calls is recorded as handed over', async () => {
  const { socket, ws, left } = drain({ drainSpreadMs: 0, drainGraceMs: 5_000 });
  void socket.calls.call(operations[0] as Operation, '{}', 30_000).catch(() => {});
  await vi.advanceTimersByTimeAsync(7_000);
  expect([socket.isMoving, left.mock.calls]).toEqual([true, []]);
  handOver(socket, left);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(left.mock.calls).toEqual([[socket, 'handed_over', null]]);
  expect(ws.close.mock.calls.every(([code]) => code === 1012)).toBe(true);
});

test('a world that is handed over in time is recorded once', async () => {
  const { socket, left } = drain({ drainSpreadMs: 0, drainGraceMs: 5_000 });
  await vi.advanceTimersByTimeAsync(1_000);
  handOver(socket, left);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(left.mock.calls).toEqual([[socket, 'handed_over', null]]);
});
