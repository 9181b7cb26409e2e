import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';

/** Finds a free loopback port, for programs that cannot report the port they took. It may be taken in the meantime. */
export async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
