import type { Cluster, Command, Reply } from '../../src/cluster.ts';
import { BusFailure } from '../../src/failures.ts';
import { createRedisCluster } from '../../src/redis/redis-cluster.ts';
import type { Host, SimClock } from './sim-clock.ts';
import type { SimNetwork } from './sim-connection.ts';
import { createSimConnection } from './sim-connection.ts';
import type { SimPostgres } from './sim-postgres.ts';
import { createSimPostgres } from './sim-postgres.ts';
import type { SimRedis } from './sim-redis.ts';
import { createSimRedis } from './sim-redis.ts';

/** One process and its sockets. */
export interface SimInstance {
  readonly host: Host;
  readonly cluster: Cluster;
  readonly network: SimNetwork;
  /** The sockets that the instance has not closed, by conn. */
  readonly sockets: Map<string, SimSocket>;
  isStarted: boolean;
}

export interface SimSocket {
  readonly clientId: string;
  readonly conn: string;
  /** The module answers pings. */
  isAlive: boolean;
  /** The instance has accepted the socket, so commands may be sent. */
  isOpen: boolean;
  /** The instance has closed the socket. The module finds out at its next check. */
  isClosed: boolean;
}

/** A call and its results. */
export interface SimCall {
  readonly body: string;
  readonly deadline: number;
  deliveries: number[];
  outcome?: 'replied' | 'not_sent' | 'unknown';
}

export interface SimWorld {
  readonly redis: SimRedis;
  readonly postgres: SimPostgres;
  readonly instances: SimInstance[];
  /** By the call's body, which is unique. */
  readonly calls: Map<string, SimCall>;
  readonly clientIds: readonly string[];
  addInstance(): SimInstance;
  /** Adds two browsers with the same world. One is connected, and the other keeps trying. */
  addModules(clientId: string): void;
  /** No module dies and every world answers from now on. */
  calmDown(): void;
  call(from: SimInstance, clientId: string, budgetMs: number): SimCall;
  /** The instances that would act for a client at this moment. */
  actingFor(clientId: string): SimInstance[];
}

const accountId = 'account-1';

export function createSimWorld(clock: SimClock): SimWorld {
  const redis = createSimRedis(clock);
  const postgres = createSimPostgres(clock);
  const instances: SimInstance[] = [];
  const calls = new Map<string, SimCall>();
  const clientIds: string[] = [];
  const mood = { isCalm: false };
  let count = 0;

  const world: SimWorld = {
    redis,
    postgres,
    instances,
    calls,
    clientIds,
    addInstance: () => {
      const instance = createSimInstance(clock, world);
      instances.push(instance);
      clock.within(instance.host, () => start(instance, { clock, world, mood }));
      return instance;
    },

    addModules: (clientId) => {
      clientIds.push(clientId);
      for (let browser = 0; browser < 2; browser++) {
        keepConnected({ clock, instances, mood, clientId, newConn: () => `conn-${++count}` });
      }
    },
    calmDown: () => (mood.isCalm = true),

    call: (from, clientId, budgetMs) => {
      const body = `call-${++count}`;
      const call: SimCall = { body, deadline: clock.now() + budgetMs, deliveries: [] };
      calls.set(body, call);
      clock.within(from.host, () => {
        from.cluster.bus.ask({ clientId, accountId, body: Buffer.from(body), budgetMs }).reply.then(
          (reply) => (call.outcome = reply.body.toString() === body ? 'replied' : 'not_sent'),
          (failure: BusFailure) => (call.outcome = failure.sent ? 'unknown' : 'not_sent'),
        );
      });
      return call;
    },

    actingFor: (clientId) =>
      instances.filter(({ host, cluster, sockets }) => {
        if (host.state !== 'running') return false;
        const isOpen = [...sockets.values()].some((socket) => socket.clientId === clientId && socket.isOpen);
        return isOpen && clock.within(host, () => cluster.directory.authority(clientId)) !== 'frozen';
      }),
  };
  return world;
}

/** The instances that callers and modules can reach. */
export function running(world: SimWorld): SimInstance[] {
  return world.instances.filter(({ host, isStarted }) => host.state === 'running' && isStarted);
}

function createSimInstance(clock: SimClock, { redis, postgres, instances }: SimWorld): SimInstance {
  const host: Host = { name: `instance-${instances.length + 1}`, state: 'running' };
  const network: SimNetwork = { isHole: false, isCutFromPostgres: false, connections: new Set() };
  const cluster = clock.within(host, () =>
    createRedisCluster({
      instanceId: host.name,
      shards: ['redis://simulated'],
      holds: postgres.holdsFor(host, network),
      connect: (_url, _name, { answerMs }) => createSimConnection({ clock, host, redis, network, answerMs }),
    }),
  );
  return { host, cluster, network, sockets: new Map(), isStarted: false };
}

interface Surroundings {
  clock: SimClock;
  world: SimWorld;
  mood: { isCalm: boolean };
}

/** Starts the cluster of an instance. One that cannot start is replaced, as an orchestrator would. */
function start(instance: SimInstance, surroundings: Surroundings): void {
  const { clock, world } = surroundings;
  const { cluster, sockets, host } = instance;
  void cluster
    .start({
      deliver: (command) => ({ reply: deliver(instance, command, surroundings), abandon: () => {} }),
      probe: (conn) =>
        new Promise((resolve) => {
          const isAlive = sockets.get(conn)?.isAlive ?? false;
          clock.after(isAlive ? clock.between(1, 50) : 2_000, () => resolve(isAlive), host);
        }),
      evict: (conn) => {
        const socket = sockets.get(conn);
        if (socket) socket.isClosed = true;
        sockets.delete(conn);
      },
      claims: () =>
        [...sockets.values()]
          .filter((socket) => socket.isOpen)
          .map(({ clientId, conn }) => ({ clientId, conn, accountId, meta: '', epoch: 0 })),
    })
    .then(() => (instance.isStarted = true))
    .catch(() => {
      host.state = 'dead';
      clock.after(1_000, world.addInstance);
    });
}

function deliver(
  instance: SimInstance,
  command: Command,
  { clock, world, mood }: Surroundings,
): Promise<Reply> {
  const socket = instance.sockets.get(command.conn);
  if (!socket?.isOpen) return Promise.reject(new BusFailure('unavailable', false, 'just gone'));
  world.calls.get(command.body.toString())?.deliveries.push(clock.now());
  return new Promise((resolve) => {
    // One world in twenty never answers.
    if (!socket.isAlive || (!mood.isCalm && clock.random() < 0.05)) return;
    clock.after(clock.between(1, 300), () => resolve({ head: '', body: command.body }), instance.host);
  });
}

interface ModuleOptions {
  clock: SimClock;
  instances: readonly SimInstance[];
  mood: { isCalm: boolean };
  clientId: string;
  newConn: () => string;
}

/** The module of one world. Connects to any instance, returns after a refusal or a loss, and dies now and then. */
function keepConnected({ clock, instances, mood, clientId, newConn }: ModuleOptions): void {
  const connect = (): void => {
    const candidates = instances.filter(({ host, isStarted }) => host.state !== 'dead' && isStarted);
    if (candidates.length === 0) return void clock.after(500, connect);
    const instance = clock.pick(candidates);
    const socket: SimSocket = { clientId, conn: newConn(), isAlive: true, isOpen: false, isClosed: false };
    clock.after(clock.between(1, 5), () => void accept(instance, socket, clock), instance.host);
    stay(instance, socket, clock.now() + 10_000);
  };

  const stay = (instance: SimInstance, socket: SimSocket, patience: number): void => {
    clock.after(clock.between(50, 150), () => {
      const isLost = socket.isClosed || instance.host.state === 'dead';
      const isTired = !socket.isOpen && clock.now() > patience;
      const fate = socket.isOpen && !mood.isCalm ? clock.random() : 1;
      if (isLost) return void clock.after(clock.between(200, 3_000), connect);
      // The browser vanishes silently, and the instance has to find out.
      if (fate < 0.001) socket.isAlive = false;
      if (fate < 0.003 || isTired) {
        if (socket.isAlive) clock.after(1, () => close(instance, socket), instance.host);
        return void clock.after(clock.between(10, 2_000), connect);
      }
      return stay(instance, socket, patience);
    });
  };
  connect();
}

async function accept(instance: SimInstance, socket: SimSocket, clock: SimClock): Promise<void> {
  const { cluster, sockets, host } = instance;
  const { clientId, conn } = socket;
  sockets.set(conn, socket);
  const claimed = await cluster.directory.claim({ clientId, conn, accountId, meta: '' });
  // The instance reads the token from Postgres once more.
  await new Promise((resolve) => clock.after(clock.between(1, 30), () => resolve(0), host));
  if (claimed.outcome === 'mine' && sockets.has(conn)) {
    socket.isOpen = true;
    return;
  }
  socket.isClosed = true;
  sockets.delete(conn);
  if (claimed.outcome === 'mine') await cluster.directory.release(clientId, conn);
}

function close(instance: SimInstance, { clientId, conn }: SimSocket): void {
  instance.sockets.delete(conn);
  void instance.cluster.directory.release(clientId, conn);
}
