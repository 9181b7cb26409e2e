import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';

/** A loopback port that was free a moment ago: for programs that can't tell which one they took. */
export async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
