import fastify from 'fastify';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { limitPendingBodies } from './pending-bodies.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const bodyBytes = 100_000;

test('of a caller who hangs up while the head is checked nothing is kept', async () => {
  const app = fastify({ bodyLimit: bodyBytes });
  onTestFinished(() => app.close());
  const requests: WeakRef<IncomingMessage>[] = [];
  // As the look at a key or a world, which takes longer than the caller stays.
  app.addHook('onRequest', async ({ raw }) => {
    requests.push(new WeakRef(raw));
    await new Promise((resolve) => raw.once('close', resolve));
  });
  limitPendingBodies(app, { maxPendingBodyBytes: 10 * bodyBytes });
  app.post('/', () => 'never');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  for (let count = 1; count <= 20; count++) {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${bodyBytes}\r\n\r\n`,
    );
    await vi.waitFor(() => expect(requests).toHaveLength(count));
    socket.destroy();
  }
  await vi.waitFor(() => {
    collectGarbage();
    // The last ones may be held by the server's own turn.
    expect(requests.filter((request) => request.deref()).length).toBeLessThan(5);
  });
});
