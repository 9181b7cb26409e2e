import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A balancer as one is set up by mistake. Resolves with its address. */
export async function startBadProxy(
  target: string,
  mistake: 'answers itself' | 'knows requests and whole answers only',
): Promise<string> {
  const server = createServer((request, response) => {
    if (mistake === 'answers itself') response.writeHead(404).end('nothing here');
    else if (request.url === '/metrics') response.writeHead(200).end('{}');
    else void passWhole(target, request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Without `Upgrade`, and with nothing of an answer before its end. */
async function passWhole(target: string, { url, headers }: IncomingMessage, response: ServerResponse) {
  const { authorization } = headers;
  try {
    const answer = await fetch(`${target}${url}`, {
      headers: authorization === undefined ? {} : { authorization },
    });
    const text = await answer.text();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text);
  } catch {
    response.destroy();
  }
}
