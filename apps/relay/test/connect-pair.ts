import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Both sides of a connection until the test ends. Each side ends by itself, as those of HTTP servers do. */
export async function connectPair(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [near] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    far.destroy();
    near.destroy();
    server.close();
  });
  return { near, far };
}
