import type { Presence } from '@tabletop-relay/cluster';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ClientSocket } from '../client-socket.ts';
import { createConnectedClients } from '../connected-clients.ts';
import { createLeaving } from './leave.ts';
import type { LeavingDeps } from './leave.ts';

const identity = { clientId: 'world', accountId: 'account' };
const ended = { conn: 'conn-1', identity, isSucceeded: false, isMoving: false, returnsWithinMs: 0 };

/** One socket that ends, with what Redis then says of its world, and what was told of it. */
function endOf(
  socket: Partial<ClientSocket>,
  {
    found,
    isHere = false,
    standbys = 0,
  }: { found?: Partial<Presence>; isHere?: boolean; standbys?: number } = {},
) {
  const clients = createConnectedClients();
  const ending = { ...ended, endCalls: vi.fn<() => void>(), ...socket } as ClientSocket;
  clients.add(ending);
  const close = vi.fn<(conn: string, how: { offline: boolean }) => Promise<void>>(async () => {});
  const release = vi.fn<() => Promise<void>>(async () => {});
  const announce = vi.fn<LeavingDeps['presence']['announce']>();
  const left = vi.fn<LeavingDeps['connectionLog']['left']>();
  const disconnected = vi.fn<LeavingDeps['lastSeen']['disconnected']>(async () => {
    // Its next socket may be admitted at any time before the end is told.
    if (isHere) clients.add({ ...ended, conn: 'conn-2' } as ClientSocket);
  });
  const find = async () => new Map(found ? [['world', found]] : []);
  const vacate = vi.fn<LeavingDeps['cluster']['standbys']['vacate']>(async () => {});
  const waiting = { find: async () => new Map(standbys > 0 ? [['world', []]] : []), vacate };
  const deps = {
    cluster: { streams: { close }, directory: { release, find }, standbys: waiting },
    clients,
    connectionLog: { left },
    lastSeen: { disconnected },
    presence: { announce },
    log: pino({ level: 'silent' }),
    metrics: { connectedClients: { set: () => {} } },
  } as unknown as LeavingDeps;
  const leaving = createLeaving(deps);
  leaving.leave(ending, 1006);
  return { leaving, ending, close, release, vacate, announce, left, disconnected };
}

const settle = async (leaving: { waiting: number }) => {
  await vi.waitFor(() => expect(leaving.waiting).toBe(0));
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
};

it('a world that went is released, told as offline to its listeners, and then to its account', async () => {
  const end = endOf({});
  expect(end.ending.endCalls).toHaveBeenCalledOnce();
  expect(end.leaving.waiting).toBe(1);
  await settle(end.leaving);
  expect(end.left).toHaveBeenCalledExactlyOnceWith(end.ending, 'disconnected', 1006);
  expect(end.close).toHaveBeenCalledExactlyOnceWith('conn-1', { offline: true });
  expect(end.release).toHaveBeenCalledExactlyOnceWith('world', 'conn-1', 0);
  expect(end.announce).toHaveBeenCalledExactlyOnceWith({ ...identity, isOnline: false });
});

it.each([
  ['was told to return soon', { returnsWithinMs: 500 }, { releases: 1 }],
  ['moves to another instance', { isMoving: true }, { releases: 0 }],
])('the listeners of a world that %s are not told that it is offline', async (_how, socket, { releases }) => {
  const end = endOf(socket);
  await settle(end.leaving);
  expect(end.close).toHaveBeenCalledExactlyOnceWith('conn-1', { offline: false });
  expect(end.release).toHaveBeenCalledTimes(releases);
  expect(end.announce).toHaveBeenCalledOnce();
});

it.each([
  ['on another instance', { found: { moving: false } }],
  ['on this one', { isHere: true }],
])('a world that is back %s is not told as offline', async (_where, back) => {
  const end = endOf({}, back);
  await settle(end.leaving);
  expect(end.disconnected).toHaveBeenCalledOnce();
  expect(end.announce).not.toHaveBeenCalled();
});

it('a world whose claim still waits for it to come is told as offline', async () => {
  const end = endOf({}, { found: { moving: true } });
  await settle(end.leaving);
  expect(end.announce).toHaveBeenCalledOnce();
});

it('nothing is told of a socket whose next one serves the world', async () => {
  const end = endOf({ isSucceeded: true }, { found: { moving: false } });
  await settle(end.leaving);
  expect(end.close).toHaveBeenCalledExactlyOnceWith('conn-1', { offline: false });
  for (const told of [end.left, end.release, end.disconnected, end.announce])
    expect(told).not.toHaveBeenCalled();
});

it('a world whose next socket has failed meanwhile is told as offline', async () => {
  const end = endOf({ isSucceeded: true });
  await settle(end.leaving);
  expect(end.disconnected).toHaveBeenCalledOnce();
  expect(end.announce).toHaveBeenCalledOnce();
});

it.each([
  ['all that it brought', {}, true],
  ['what it brought last, perhaps, because it fell silent', { isSilent: true }, false],
])('a world for which another browser waits is left to it with %s', async (_what, socket, isWhole) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const end = endOf(socket, { standbys: 1, found: { moving: false } });
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  expect(end.close).toHaveBeenCalledExactlyOnceWith('conn-1', { offline: false });
  expect(end.vacate).toHaveBeenCalledExactlyOnceWith('world', 'conn-1', { isWhole });
  expect(end.left).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(10_000);
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  for (const told of [end.release, end.disconnected, end.announce]) expect(told).not.toHaveBeenCalled();
});

it('a world that none of its waiting browsers takes is told as offline after 3 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const end = endOf({}, { standbys: 1, found: { moving: true } });
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  expect(end.announce).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(3_000);
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  expect(end.announce).toHaveBeenCalledExactlyOnceWith({ ...identity, isOnline: false });
});
