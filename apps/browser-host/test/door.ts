import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A tabletop's door that opens when it is told to. */
export async function openDoor(
  location: string,
): Promise<{ url: string; hasKnocked(): boolean; open(): void }> {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let knocks = 0;
  const server = createServer((_request, response) => {
    knocks++;
    void opened.then(() => response.writeHead(302, { location }).end());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, hasKnocked: () => knocks > 0, open };
}
