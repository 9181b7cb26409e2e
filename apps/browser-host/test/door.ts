import { createServer, request as sendRequest } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A tabletop behind a door that opens when it is told to. What is behind it is shown at the address of the door. */
export async function openDoor(
  tabletopUrl: string,
): Promise<{ url: string; wasAsked(): boolean; open(): void }> {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { origin, pathname } = new URL(tabletopUrl);
  let asked = 0;
  const url = await servePage((request, response) => {
    asked++;
    void opened.then(() => {
      if (request.url === '/') {
        response.writeHead(302, { location: pathname }).end();
        return;
      }
      const passed = sendRequest(origin + request.url, { method: request.method, headers: request.headers });
      passed.once('error', () => response.destroy());
      passed.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(passed);
    });
  });
  return { url: new URL(url).origin, wasAsked: () => asked > 0, open };
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
