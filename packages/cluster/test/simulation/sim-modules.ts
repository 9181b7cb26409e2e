import type { SimClock } from './sim-clock.ts';
import type { SimInstance, SimSocket } from './sim-instance.ts';
import { end, promote } from './sim-instance.ts';

export interface ModuleOptions {
  clock: SimClock;
  instances: readonly SimInstance[];
  mood: { isCalm: boolean };
  clientId: string;
  newConn: () => string;
  /** The module knows no handover: it waits until its socket is closed. */
  ignoresReconnect: boolean;
  /** Its browsers wait where another serves, and now and then a person lets one serve. */
  isStandby: boolean;
}

export const accountId = 'account-1';

/**
 * The module of one world. Connects to any instance, returns after a refusal or a loss, and dies now and then. When its
 * instance leaves, it opens its next socket at the time that it was told.
 */
export function keepConnected(options: ModuleOptions): void {
  const { clock, instances, mood, clientId, newConn } = options;

  const connect = (handover = ''): void => {
    const candidates = instances.filter(
      ({ host, isStarted, isDraining }) => host.state !== 'dead' && isStarted && !isDraining,
    );
    if (candidates.length === 0) return void clock.after(500, () => connect(handover));
    const instance = clock.pick(candidates);
    const socket = newSocket(clientId, newConn());
    clock.after(
      clock.between(1, 5),
      () => void accept(socket, handover, { ...options, instance }),
      instance.host,
    );
    stay(instance, socket, { patience: clock.now() + 10_000, handover });
  };

  const stay = (
    instance: SimInstance,
    socket: SimSocket,
    waiting: { patience: number; handover: string },
  ): void => {
    clock.after(clock.between(50, 150), () => {
      const { told } = socket;
      const isLost = socket.isClosed || instance.host.state === 'dead';
      const isTired = !socket.isOpen && !socket.isWaiting && clock.now() > waiting.patience;
      const fate = (socket.isOpen || socket.isWaiting) && !mood.isCalm ? clock.random() : 1;
      const handover = told?.handover ?? (socket.isOpen ? '' : waiting.handover);
      const again = (): void => connect(options.ignoresReconnect ? '' : handover);
      if (isLost) return void clock.after(clock.between(200, 3_000), again);
      if (told && clock.now() >= told.at && !options.ignoresReconnect) return again();
      // The browser vanishes silently, and the instance has to find out.
      if (fate < 0.001) {
        socket.isAlive = false;
        // The heartbeat finds out.
        clock.after(clock.between(2_000, 22_000), () => void end(instance, socket), instance.host);
      }
      if (fate > 0.999 && fate < 1 && socket.isWaiting) callUp(instance, socket, clock);
      if (fate < 0.003 || isTired) {
        if (socket.isAlive) clock.after(1, () => void end(instance, socket), instance.host);
        return void clock.after(clock.between(10, 2_000), again);
      }
      return stay(instance, socket, waiting);
    });
  };
  connect();
}

export function newSocket(clientId: string, conn: string): SimSocket {
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  return { clientId, conn, arrival, arrive, isAlive: true, isOpen: false, isWaiting: false, isClosed: false };
}

async function accept(
  socket: SimSocket,
  handover: string,
  { clock, instances, instance, isStandby }: ModuleOptions & { instance: SimInstance },
): Promise<void> {
  const { cluster, sockets, host } = instance;
  const { clientId, conn } = socket;
  sockets.set(conn, socket);
  const claimed = await cluster.directory.claim({ clientId, conn, accountId, meta: '' }, handover);
  if (claimed.outcome === 'duplicate' && isStandby && sockets.has(conn) && !instance.isDraining) {
    const joined = await cluster.standbys.join({ clientId, conn, accountId, meta: '' }).catch(() => 'away');
    if (joined === 'waiting' && sockets.has(conn) && !instance.isDraining)
      return void (socket.isWaiting = true);
    cluster.standbys.leave(clientId, conn);
  }
  if (claimed.outcome === 'mine') succeed(instances, handover);
  // The instance reads the token from Postgres once more.
  await new Promise((resolve) => clock.after(clock.between(1, 30), () => resolve(0), host));
  if (claimed.outcome === 'mine' && sockets.has(conn) && !instance.isDraining) {
    socket.isOpen = true;
    socket.arrive();
    return;
  }
  socket.isClosed = true;
  socket.arrive();
  sockets.delete(conn);
  if (claimed.outcome === 'mine') await cluster.directory.release(clientId, conn);
}

/** Marks the socket whose module has just come over to its next one. */
function succeed(instances: readonly SimInstance[], handover: string): void {
  for (const { sockets } of instances)
    for (const { told } of sockets.values()) if (told && told.handover === handover) told.isTaken = true;
}

/** A person says that this browser shall serve. */
function callUp(instance: SimInstance, socket: SimSocket, clock: SimClock): void {
  if (socket.isPromoted) return;
  socket.isCalledUp = true;
  clock.within(instance.host, () => void promote(socket, instance, { clock }));
}
