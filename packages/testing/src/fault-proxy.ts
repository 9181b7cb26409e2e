import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';

/** A TCP proxy whose network can be made to misbehave. `saying` picks connections by what their client sent first. */
export interface FaultProxy {
  readonly port: number;
  /** Delays what the server sends. */
  latencyMs: number;
  /** Resets connections. */
  cut(saying?: string): void;
  /**
   * Stops passing bytes, both ways, without closing anything; new connections hang as well, unless only some were
   * picked. What was sent meanwhile arrives late, after `heal`.
   */
  blackHole(saying?: string): void;
  heal(): void;
  /** Passes the next request with this text on, and cuts its connection in place of the answer. */
  cutBeforeAnswerTo(text: string): Promise<void>;
  close(): Promise<void>;
}

interface Connection {
  client: net.Socket;
  server: net.Socket;
  /** The start of what the client sent. */
  said: string;
}

const remembered = 4_096;

/** Listens on a free loopback port in front of another. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const connections = new Set<Connection>();
  let isHole = false;
  let cutting: { text: string; done: () => void } | undefined;

  const listener = net.createServer((client) => {
    const server = net.connect(targetPort, '127.0.0.1');
    const connection: Connection = { client, server, said: '' };
    connections.add(connection);
    let isDoomed = false;
    const end = (): void => {
      connections.delete(connection);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', end).on('close', end);
    client.on('data', (request) => {
      if (connection.said.length < remembered) connection.said += request.toString('latin1');
      isDoomed ||= cutting !== undefined && request.includes(cutting.text);
      server.write(request);
    });
    server.on('data', (answer) => {
      if (isDoomed) {
        end();
        cutting?.done();
      } else if (proxy.latencyMs > 0) setTimeout(() => client.write(answer), proxy.latencyMs);
      else client.write(answer);
    });
    if (isHole) pause(connection);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  const picked = (saying: string): Connection[] =>
    [...connections].filter(({ said }) => said.includes(saying));

  const proxy: FaultProxy = {
    port: (listener.address() as AddressInfo).port,
    latencyMs: 0,
    cut: (saying = '') => {
      for (const { client, server } of picked(saying)) {
        client.resetAndDestroy();
        server.destroy();
      }
    },
    blackHole: (saying = '') => {
      isHole ||= saying === '';
      for (const connection of picked(saying)) pause(connection);
    },
    heal: () => {
      isHole = false;
      for (const { client, server } of connections) {
        client.resume();
        server.resume();
      }
    },
    cutBeforeAnswerTo: (text) =>
      new Promise((done) => {
        cutting = {
          text,
          done: () => {
            cutting = undefined;
            done();
          },
        };
      }),
    close: async () => {
      listener.close();
      proxy.cut();
      await once(listener, 'close');
    },
  };
  return proxy;
}

function pause({ client, server }: Connection): void {
  client.pause();
  server.pause();
}
