import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';

/** A TCP proxy that can disturb its connections. `saying` selects those whose client sent this text near the start. */
export interface FaultProxy {
  readonly port: number;
  /** Delays the bytes that the server sends. */
  latencyMs: number;
  /** Resets connections. */
  cut(saying?: string): void;
  /**
   * Stops passing bytes in both directions without closing anything. Without `saying`, new connections hang as well.
   * Bytes sent meanwhile arrive after `heal`.
   */
  blackHole(saying?: string): void;
  /** Resets connections, and new ones at once, as if nobody listened. */
  refuse(): void;
  heal(): void;
  /** From now on new connections lead to this port, as those to a name whose address has changed. */
  pointTo(port: number): void;
  /** Passes on the next request that contains this text, and cuts its connection instead of passing the answer. */
  cutBeforeAnswerTo(text: string): Promise<void>;
  close(): Promise<void>;
}

interface Connection {
  client: net.Socket;
  server: net.Socket;
  /** The start of what the client sent. */
  said: string;
  /** What the server sent and the client did not get yet, in order. */
  delayed: Buffer[];
}

const remembered = 4_096;

/** Starts a proxy on a free loopback port in front of another, or of a Unix socket. */
export async function startFaultProxy(target: number | string): Promise<FaultProxy> {
  let leadsTo = target;
  const state: ProxyState = {
    connections: new Set(),
    latencyMs: 0,
    isHole: false,
    isRefusing: false,
    cutting: undefined,
  };
  const listener = net.createServer((client) => {
    if (state.isRefusing) {
      client.resetAndDestroy();
      return;
    }
    const server = typeof leadsTo === 'number' ? net.connect(leadsTo, '127.0.0.1') : net.connect(leadsTo);
    const connection: Connection = { client, server, said: '', delayed: [] };
    state.connections.add(connection);
    relay(connection, state);
    if (state.isHole) pause(connection);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    ...faultsOn(state),
    pointTo: (port) => (leadsTo = port),
    get latencyMs() {
      return state.latencyMs;
    },
    set latencyMs(value) {
      state.latencyMs = value;
    },
    async close() {
      listener.close();
      reset(state.connections);
      await once(listener, 'close');
    },
  };
}

interface ProxyState {
  connections: Set<Connection>;
  latencyMs: number;
  isHole: boolean;
  isRefusing: boolean;
  /** The request whose connection is cut before its answer. */
  cutting: { text: string; done: () => void } | undefined;
}

/** Passes bytes in both directions until either side ends. */
function relay(connection: Connection, state: ProxyState): void {
  const { client, server, delayed } = connection;
  let isDoomed = false;
  const end = (): void => {
    state.connections.delete(connection);
    client.destroy();
    server.destroy();
  };
  for (const socket of [client, server]) socket.setNoDelay(true).on('error', end).on('close', end);
  client.on('data', (request) => {
    if (connection.said.length < remembered) connection.said += request.toString('latin1');
    isDoomed ||= state.cutting !== undefined && request.includes(state.cutting.text);
    server.write(request);
  });
  server.on('data', (answer) => {
    if (isDoomed) {
      end();
      state.cutting?.done();
    } else if (state.latencyMs > 0 || delayed.length > 0) {
      // What comes after the latency was lowered must not overtake what is on its way.
      delayed.push(answer);
      setTimeout(() => client.write(delayed.shift() as Buffer), state.latencyMs);
    } else client.write(answer);
  });
}

function faultsOn(
  state: ProxyState,
): Pick<FaultProxy, 'cut' | 'blackHole' | 'refuse' | 'heal' | 'cutBeforeAnswerTo'> {
  const selected = (saying: string) => [...state.connections].filter(({ said }) => said.includes(saying));
  return {
    cut: (saying = '') => reset(selected(saying)),
    blackHole(saying = '') {
      state.isHole ||= saying === '';
      for (const connection of selected(saying)) pause(connection);
    },
    refuse() {
      state.isRefusing = true;
      reset(selected(''));
    },
    heal() {
      state.isHole = false;
      state.isRefusing = false;
      for (const { client, server } of state.connections) {
        client.resume();
        server.resume();
      }
    },
    cutBeforeAnswerTo: (text) =>
      new Promise((resolve) => {
        const done = () => {
          state.cutting = undefined;
          resolve();
        };
        state.cutting = { text, done };
      }),
  };
}

function reset(connections: Iterable<Connection>): void {
  for (const { client, server } of connections) {
    client.resetAndDestroy();
    server.destroy();
  }
}

function pause({ client, server }: Connection): void {
  client.pause();
  server.pause();
}
