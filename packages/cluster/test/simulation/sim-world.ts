import type { BusFailure } from '../../src/failures.ts';
import type { SimClock } from './sim-clock.ts';
import type { SimCall, SimInstance, SimSocket, Surroundings } from './sim-instance.ts';
import { createSimInstance, drain, graceMs, start } from './sim-instance.ts';
import { accountId, keepConnected } from './sim-modules.ts';
import type { SimPostgres } from './sim-postgres.ts';
import { createSimPostgres } from './sim-postgres.ts';
import type { SimRedis } from './sim-redis.ts';
import { createSimRedis } from './sim-redis.ts';

export interface SimWorld {
  readonly redis: SimRedis;
  readonly postgres: SimPostgres;
  readonly instances: SimInstance[];
  /** By the call's body, which is unique. */
  readonly calls: Map<string, SimCall>;
  readonly clientIds: readonly string[];
  addInstance(): SimInstance;
  /** Replaces an instance as a rolling restart does. Resolves when it has ended. */
  drain(instance: SimInstance): Promise<void>;
  /** Adds browsers with the same world. One is connected, and the others keep trying. */
  addModules(
    clientId: string,
    options?: { browsers?: number; ignoresReconnect?: boolean; isStandby?: boolean },
  ): void;
  /** No module dies and every world answers from now on. */
  calmDown(): void;
  call(from: SimInstance, clientId: string, budgetMs: number): SimCall;
  /** The clients with two open sockets on running instances. Found quickly, because it is asked after each event. */
  connectedTwice(): string[];
  /** The instances that would act for a client at this moment. */
  actingFor(clientId: string): SimInstance[];
  /**
   * The instances that would act for a client now, without old owners whose module has come over to another instance. They act until they hear of it, so for
   * the same module, and in no case longer than the time that they gave it.
   */
  actingAloneFor(clientId: string): SimInstance[];
}

// oxlint-disable-next-line max-lines-per-function -- It is the list of what happens in the simulation, a few lines each.
export function createSimWorld(clock: SimClock): SimWorld {
  const redis = createSimRedis(clock);
  const postgres = createSimPostgres(clock);
  const instances: SimInstance[] = [];
  const calls = new Map<string, SimCall>();
  const clientIds: string[] = [];
  const mood = { isCalm: false };
  let count = 0;

  const addInstance = (): SimInstance => {
    const instance = createSimInstance(`instance-${instances.length + 1}`, surroundings);
    instances.push(instance);
    clock.within(instance.host, () => start(instance, surroundings));
    return instance;
  };
  const surroundings: Surroundings = {
    clock,
    redis,
    postgres,
    calls,
    mood,
    replace: () => void addInstance(),
  };

  const actingBy = (clientId: string, counts: (socket: SimSocket) => boolean): SimInstance[] =>
    instances.filter(({ host, cluster, sockets }) => {
      if (host.state !== 'running') return false;
      const isOpen = [...sockets.values()].some(
        (socket) => socket.clientId === clientId && socket.isOpen && counts(socket),
      );
      return isOpen && clock.within(host, () => cluster.directory.authority(clientId)) !== 'frozen';
    });

  return {
    redis,
    postgres,
    instances,
    calls,
    clientIds,
    addInstance,
    drain: (instance) => clock.within(instance.host, () => drain(instance, surroundings)),
    addModules: (clientId, { browsers = 2, ignoresReconnect = false, isStandby = false } = {}) => {
      clientIds.push(clientId);
      for (let browser = 0; browser < browsers; browser++) {
        const newConn = (): string => `conn-${++count}`;
        keepConnected({ clock, instances, mood, clientId, newConn, ignoresReconnect, isStandby });
      }
    },
    calmDown: () => (mood.isCalm = true),

    call: (from, clientId, budgetMs) => {
      count += 1;
      const body = `call-${count}${count % 2 === 0 ? '.'.repeat(40) : ''}`;
      const deadline = clock.now() + budgetMs;
      const call: SimCall = { body, deadline, deliveries: [], lateMs: 0, holders: new Set() };
      calls.set(body, call);
      clock.within(from.host, () => {
        from.cluster.bus.call({ clientId, accountId, head: {}, body: Buffer.from(body), budgetMs }).then(
          ({ body: answer, release }) => {
            call.outcome = answer.toString() === body ? 'replied' : 'not_sent';
            // The caller reads for a while.
            clock.after(clock.between(0, 200), () => release?.(), from.host);
          },
          (failure: BusFailure) => (call.outcome = failure.sent ? 'unknown' : 'not_sent'),
        );
      });
      return call;
    },

    connectedTwice: () => {
      const seen = new Set<string>();
      const twice: string[] = [];
      for (const { host, sockets } of instances) {
        if (host.state !== 'running') continue;
        for (const { isOpen, clientId } of sockets.values()) {
          if (isOpen && seen.has(clientId)) twice.push(clientId);
          else if (isOpen) seen.add(clientId);
        }
      }
      return twice;
    },
    actingFor: (clientId) => actingBy(clientId, () => true),
    actingAloneFor: (clientId) =>
      actingBy(clientId, ({ told }) => !told?.isTaken || clock.now() > told.at + graceMs + lateMs),
  };
}

/** A process that stood still closes its sockets late. After the usable time of a lease it acts no more. */
const lateMs = 3_500;

/** The instances that callers and modules can reach. */
export function running(world: SimWorld): SimInstance[] {
  return world.instances.filter(({ host, isStarted }) => host.state === 'running' && isStarted);
}
