import type { BulkBounds } from '../../src/redis/bulk-bounds.ts';
import type { Cluster, ReceivedCall, Reply } from '../../src/cluster.ts';
import { BusFailure } from '../../src/failures.ts';
import { createRedisCluster } from '../../src/redis/redis-cluster.ts';
import type { Host, SimClock } from './sim-clock.ts';
import type { SimNetwork } from './sim-connection.ts';
import { createSimConnection } from './sim-connection.ts';
import type { SimPostgres } from './sim-postgres.ts';
import type { SimRedis } from './sim-redis.ts';

/** One process and its sockets. */
export interface SimInstance {
  readonly host: Host;
  readonly cluster: Cluster;
  readonly network: SimNetwork;
  /** The sockets that the instance has not closed, by conn. */
  readonly sockets: Map<string, SimSocket>;
  isStarted: boolean;
  /** Lets no module in any more. */
  isDraining: boolean;
}

export interface SimSocket {
  readonly clientId: string;
  readonly conn: string;
  /** Resolves when the instance has accepted the socket or refused it. */
  readonly arrival: Promise<void>;
  readonly arrive: () => void;
  /** The module answers pings. */
  isAlive: boolean;
  /** The instance has accepted the socket, so commands may be sent. */
  isOpen: boolean;
  /** The instance has put the socket on the waiting list of its client. */
  isWaiting: boolean;
  /** A promotion is under way, in the place of the owner where a person called this standby up. */
  isPromoted?: boolean;
  isCalledUp?: boolean;
  /** The instance has closed the socket. The module finds out at its next check. */
  isClosed: boolean;
  /** When to come back elsewhere, and by which handover. The socket is closed `graceMs` later if the module did not. */
  told?: { handover: string; at: number; isTaken: boolean };
}

/** A call and its results. */
export interface SimCall {
  readonly body: string;
  readonly deadline: number;
  deliveries: number[];
  /** How long after its deadline the command reached a world's socket, in ms. */
  lateMs: number;
  /** The instances on which the reply still counts as in flight. */
  readonly holders: Set<Host>;
  outcome?: 'replied' | 'not_sent' | 'unknown';
}

/** What instances share. */
export interface Surroundings {
  readonly clock: SimClock;
  readonly redis: SimRedis;
  readonly postgres: SimPostgres;
  /** By the call's body, which is unique. */
  readonly calls: ReadonlyMap<string, SimCall>;
  readonly mood: { isCalm: boolean };
  /** Starts an instance in the place of one that ended. */
  replace(): void;
}

/** So small that half of all commands and replies do not fit into one message. */
const simulatedBounds: Partial<BulkBounds> = {
  commandInlineBytes: 20,
  replyInlineBytes: 20,
  chunkBytes: 8,
  windowBytes: 16,
  channels: 4,
  unansweredBytes: 16,
  incomingBytes: 200,
  incomingBytesPerAccount: 160,
};

export function createSimInstance(name: string, { clock, redis, postgres }: Surroundings): SimInstance {
  const host: Host = { name, state: 'running', uncountedMs: 0 };
  const network: SimNetwork = { isHole: false, isCutFromPostgres: false, connections: new Set() };
  const cluster = clock.within(host, () =>
    createRedisCluster({
      instanceId: host.name,
      shards: ['redis://simulated'],
      holds: postgres.holdsFor(host, network),
      readings: postgres.readingsFor(host, network),
      bounds: simulatedBounds,
      connect: (_url, _name, { answerMs }) => createSimConnection({ clock, host, redis, network, answerMs }),
    }),
  );
  return { host, cluster, network, sockets: new Map(), isStarted: false, isDraining: false };
}

/** Starts the cluster of an instance. One that cannot start is replaced, as an orchestrator would. */
export function start(instance: SimInstance, surroundings: Surroundings): void {
  const { clock, postgres } = surroundings;
  const { cluster, sockets, host, network } = instance;
  const report = (): void => {
    postgres.report(host, network, cluster.boot, cluster.readings());
    clock.after(reportMs, report, host);
  };
  clock.after(reportMs, report, host);
  void cluster
    .start({
      deliver: (call) => deliver(instance, call, surroundings),
      isArriving: (conn) => {
        const socket = sockets.get(conn);
        return socket !== undefined && !socket.isOpen && (!socket.isWaiting || socket.isPromoted === true);
      },
      probe: (conn) =>
        new Promise((resolve) => {
          const isAlive = sockets.get(conn)?.isAlive ?? false;
          clock.after(isAlive ? clock.between(1, 50) : 2_000, () => resolve(isAlive), host);
        }),
      evict: (conn) => {
        const socket = sockets.get(conn);
        if (!socket) return;
        socket.isClosed = true;
        sockets.delete(conn);
        if (socket.isWaiting) cluster.standbys.leave(socket.clientId, conn);
      },
      promote: (conn) => {
        const socket = sockets.get(conn);
        if (socket?.isWaiting && !instance.isDraining) void promote(socket, instance, surroundings);
      },
      claims: () =>
        [...sockets.values()]
          .filter((socket) => socket.isOpen)
          .map(({ clientId, conn }) => ({ clientId, conn, accountId: 'account-1', meta: '', epoch: 0 })),
    })
    .then(() => (instance.isStarted = true))
    .catch(() => {
      host.state = 'dead';
      clock.after(1_000, surroundings.replace);
    });
}

/** Lets a standby serve, if its client is free. */
export async function promote(
  socket: SimSocket,
  instance: SimInstance,
  { clock }: Pick<Surroundings, 'clock'>,
): Promise<void> {
  if (socket.isPromoted || !socket.isAlive) return;
  const { cluster, sockets, host } = instance;
  const { clientId, conn } = socket;
  const claim = { clientId, conn, accountId: 'account-1', meta: '' };
  socket.isPromoted = true;
  const claimed = socket.isCalledUp
    ? await cluster.standbys.takeOver(claim)
    : await cluster.standbys.succeed(claim);
  // The instance reads the token from Postgres once more.
  await new Promise((resolve) => clock.after(clock.between(1, 30), () => resolve(0), host));
  socket.isPromoted = socket.isCalledUp = false;
  if (claimed.outcome !== 'mine') return;
  if (sockets.get(conn) === socket && !instance.isDraining && cluster.directory.owns(clientId, conn)) {
    socket.isWaiting = false;
    socket.isOpen = true;
    socket.arrive();
    return cluster.standbys.leave(clientId, conn);
  }
  await cluster.directory.release(clientId, conn);
}

/** What an instance does when a socket that served has ended. */
export async function end({ cluster, sockets }: SimInstance, { clientId, conn }: SimSocket): Promise<void> {
  sockets.delete(conn);
  cluster.standbys.leave(clientId, conn);
  const found = await cluster.standbys.find([clientId]).catch(() => new Map<string, unknown>());
  if (found.has(clientId)) await cluster.standbys.vacate(clientId, conn, { isWhole: true });
  else await cluster.directory.release(clientId, conn);
}

const reportMs = 5_000;

export const graceMs = 2_000;
const returnsWithinMs = 30_000;

/** Replaces an instance by another. Each of its modules is told to come back elsewhere, and is served until then. */
export async function drain(instance: SimInstance, { clock, replace }: Surroundings): Promise<void> {
  const { cluster, sockets, host } = instance;
  instance.isDraining = true;
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => clock.after(ms, () => resolve(), host));

  const letGo = async (socket: SimSocket): Promise<void> => {
    const { clientId, conn } = socket;
    const at = clock.now() + clock.between(1_000, 6_000);
    const handover = `handover-${clock.random()}`;
    await cluster.directory.offer(clientId, conn, handover);
    socket.told = { handover, at, isTaken: false };
    while (sockets.has(conn) && clock.now() < at + graceMs) await wait(20);
    if (!sockets.delete(conn)) return;
    void cluster.directory.release(clientId, conn, returnsWithinMs);
    socket.isClosed = true;
  };

  for (const socket of sockets.values()) {
    if (!socket.isWaiting || socket.isPromoted) continue;
    sockets.delete(socket.conn);
    cluster.standbys.leave(socket.clientId, socket.conn);
    socket.isClosed = true;
  }
  await Promise.all([...sockets.values()].filter((socket) => socket.isOpen).map(letGo));
  // The calls in flight end.
  await wait(400);
  await cluster.stop();
  host.state = 'dead';
  replace();
}

async function deliver(
  instance: SimInstance,
  received: ReceivedCall,
  { clock, calls, mood }: Surroundings,
): Promise<Reply> {
  const socket = instance.sockets.get(received.conn);
  const reachedAt = clock.now();
  if (socket && !socket.isOpen && (!socket.isWaiting || socket.isPromoted)) await socket.arrival;
  const call = calls.get(received.body.toString());
  if (call) call.lateMs = Math.max(call.lateMs, reachedAt - call.deadline);
  const isLate = call !== undefined && clock.now() >= call.deadline;
  if (!socket?.isOpen || isLate) throw new BusFailure('unavailable', false, 'just gone');
  call?.deliveries.push(clock.now());
  return new Promise((resolve) => {
    // One world in twenty never answers.
    if (!socket.isAlive || (!mood.isCalm && clock.random() < 0.05)) return;
    clock.after(
      clock.between(1, 300),
      () => {
        call?.holders.add(instance.host);
        const release = () => void call?.holders.delete(instance.host);
        resolve({ head: {}, body: received.body, release });
      },
      instance.host,
    );
  });
}
