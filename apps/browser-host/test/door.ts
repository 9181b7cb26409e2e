import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A tabletop's door that opens when it is told to. */
export async function openDoor(
  location: string,
): Promise<{ url: string; hasKnocked(): boolean; open(): void }> {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let knocks = 0;
  const url = await servePage((_request, response) => {
    knocks++;
    void opened.then(() => response.writeHead(302, { location }).end());
  });
  return { url: new URL(url).origin, hasKnocked: () => knocks > 0, open };
}

/** A page of the test's own in the place of a tabletop. */
export async function servePage(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
