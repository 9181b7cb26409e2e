import { EventEmitter } from 'node:events';
import { NoAnswer } from '../../src/redis/connection.ts';
import type { CommandArgument, Connection } from '../../src/redis/connection.ts';
import type { Host, SimClock } from './sim-clock.ts';
import type { Session, SimRedis } from './sim-redis.ts';

/** The network between one host and its stores. */
export interface SimNetwork {
  /** Nothing passes between the host and Redis, and nothing is closed. Sent data waits until this ends. */
  isHole: boolean;
  isCutFromPostgres: boolean;
  readonly connections: Set<SimConnection>;
}

export interface SimConnection extends Connection {
  /** Both ends notice it. Data in flight may still arrive at Redis. */
  cut(): void;
}

export interface SimConnectionOptions {
  clock: SimClock;
  host: Host;
  redis: SimRedis;
  network: SimNetwork;
  answerMs: number;
}

const zombieMs = 8_000;

/** Behaves like an ioredis connection without retries, offline queue and resubscription. */
// oxlint-disable-next-line max-lines-per-function -- One state machine: its short functions share the state of the connection.
export function createSimConnection(options: SimConnectionOptions): SimConnection {
  const { clock, host, redis, network, answerMs } = options;
  const events = new EventEmitter();
  const pending = new Set<(cause: Error) => void>();
  let status = 'wait';
  let link: { session: Session; isOpen: boolean } | undefined;
  let lastArrival = { up: 0, down: 0 };

  /** Carries data over the network in order. A hole delays it until the hole ends. */
  const carry = (way: 'up' | 'down', arrive: () => void): void => {
    const at = Math.max(lastArrival[way], clock.now() + clock.between(0.2, 4));
    lastArrival[way] = at;
    const attempt = (): void => {
      if (network.isHole) clock.after(50, attempt, way === 'down' ? host : undefined);
      else arrive();
    };
    clock.after(at - clock.now(), attempt, way === 'down' ? host : undefined);
  };

  const openLink = (): void => {
    const channels = new Set<string>();
    const own: { session: Session; isOpen: boolean } = {
      isOpen: true,
      session: {
        channels,
        push: (channel, message) =>
          carry('down', () => {
            if (own.isOpen) events.emit('messageBuffer', Buffer.from(channel), message);
          }),
      },
    };
    redis.sessions.add(own.session);
    link = own;
    lastArrival = { up: clock.now(), down: clock.now() };
    status = 'ready';
    events.emit('ready');
  };

  const dial = (): void => {
    status = 'connecting';
    clock.after(
      clock.between(2, 10),
      () => {
        if (status !== 'connecting') return;
        if (redis.isUp && !network.isHole) openLink();
        else dialLater(network.isHole ? 1_500 : 0);
      },
      host,
    );
  };
  const dialLater = (ms: number): void => {
    status = 'reconnecting';
    clock.after(ms + clock.between(100, 600), () => status === 'reconnecting' && dial(), host);
  };

  const close = (redial: boolean): void => {
    const old = link;
    link = undefined;
    if (old) {
      old.isOpen = false;
      // The server notices late that a connection vanished in a hole.
      clock.after(network.isHole ? zombieMs : 0, () => redis.sessions.delete(old.session));
    }
    status = redial ? 'reconnecting' : 'end';
    for (const fail of pending) fail(new Error('Reached the max retries per request limit (which is 0).'));
    events.emit('close');
    if (redial) dialLater(0);
  };

  const send = (name: string, args: readonly CommandArgument[]): Promise<unknown> => {
    const own = link;
    if (status !== 'ready' || !own) return Promise.reject(new Error("Stream isn't writeable"));
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        if (!pending.delete(fail)) return;
        timer.cancel();
        settle();
      };
      const fail = (cause: Error): void => finish(() => reject(cause));
      pending.add(fail);
      const timer = clock.after(answerMs, () => fail(new NoAnswer('Redis did not answer')), host);
      carry('up', () => {
        // The connection was cut meanwhile. In half of such cases the data had reached the server's socket.
        if (!redis.isUp || (!own.isOpen && clock.random() < 0.5)) return;
        let answer: () => void;
        try {
          const value = redis.execute(name, args, own.session);
          answer = () => finish(() => resolve(value));
        } catch (cause) {
          answer = () => fail(cause as Error);
        }
        carry('down', () => own.isOpen && answer());
      });
    });
  };

  const connection: SimConnection = {
    get status() {
      return status;
    },
    connect: () => {
      dial();
      return Promise.resolve();
    },
    disconnect: (redial = false) => {
      network.connections.delete(connection);
      if (redial) network.connections.add(connection);
      close(redial);
    },
    send,
    subscribe: (...channels) => send('subscribe', channels),
    on: (event: string, listener: (...args: never[]) => void) =>
      events.on(event, listener as (...args: unknown[]) => void),
    cut: () => {
      // The client's process may be stopped, and then notices it later.
      if (link) clock.after(0, () => link && close(true), host);
      if (link) redis.sessions.delete(link.session);
    },
  };
  network.connections.add(connection);
  return connection;
}
