import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import net from 'node:net';
import type { AddressInfo, NetConnectOpts } from 'node:net';

/** Ports through which processes reach what stands behind them, so that who opened what is known. */
export interface Gates {
  /** Opens a port of loopback that leads there; asked for each connection. `service` is what flows name. */
  open(service: string, to: () => NetConnectOpts): Promise<number>;
  /** `<container> to <service>`, each once, sorted. The container of what is none is `test`. */
  flows(): string[];
  close(): Promise<void>;
}

export function createGates(): Gates {
  const servers: net.Server[] = [];
  const sockets = new Set<net.Socket>();
  const flows = new Set<string>();
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true).once('close', () => sockets.delete(socket));
    return socket;
  };

  return {
    async open(service, to) {
      const server = net.createServer((client) => {
        // Before a byte was passed: who waits for an answer is still there.
        const owner = ownerOf(client);
        if (owner !== undefined) flows.add(`${owner} to ${service}`);
        const inner = keep(net.connect(to()));
        for (const [from, into] of [
          [keep(client), inner],
          [inner, client],
        ] as const)
          from.pipe(into).on('error', () => from.destroy());
      });
      servers.push(server.listen(0, '127.0.0.1'));
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    },
    flows: () => [...flows].toSorted(),
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => once(server.close(), 'close')));
    },
  };
}

/** The variable by which a process and its children say whose they are. */
export const containerVariable = 'CONTAINER';

/** Which container holds the other end of a connection on this machine; undefined where it was closed already. */
function ownerOf(client: net.Socket): string | undefined {
  const inode = inodeOf(client.remotePort ?? 0, client.localPort ?? 0);
  const owner = processes().find((pid) => filesOf(pid).includes(`socket:[${inode}]`));
  if (owner === undefined) return undefined;
  const pairs = tryTo(() => readFileSync(`/proc/${owner}/environ`, 'utf8').split('\0')) ?? [];
  const [, name = 'test'] =
    pairs.map((pair) => pair.split('=')).find(([one]) => one === containerVariable) ?? [];
  return name;
}

/** The kernel's number of the socket between two ports. */
function inodeOf(from: number, to: number): string | undefined {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync('/proc/self/net/tcp', 'utf8').split('\n');
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return fields.find((line) => line[1]?.endsWith(`:${hex(from)}`) && line[2]?.endsWith(`:${hex(to)}`))?.[9];
}

const processes = () =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);

function filesOf(pid: number): string[] {
  const numbers = tryTo(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return numbers.flatMap((fd) => tryTo(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? []);
}

/** Processes end while they are looked at, and others' are not to be read. */
function tryTo<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
