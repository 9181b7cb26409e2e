import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';

/** Below those that the system gives to servers without a port of their own and to clients: 32,768 and up on Linux, 49,152 elsewhere. */
const [lowest, behind] = [10_000, 32_000];

/**
 * Finds a free loopback port, for programs that cannot report the port they took. No other test's server is given it meanwhile: whatever
 * answers there is taken for the program.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, behind);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = net.createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
