import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
interface Seen {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: unknown;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Hangs up instead of answering. */
  hangUp?: boolean;
  /** Never answers. */
  silent?: boolean;
}

const servers: Server[] = [];

/** The requests since `listen` was called, in their order. */
export const seen: Seen[] = [];

/** Listens on loopback and gives these answers in turn, the last one for ever. */
export async function listen(...answers: Answer[]): Promise<string> {
  seen.length = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url!, 'http://relay');
      seen.push({
        method: request.method!,
        path: pathname,
        query: Object.fromEntries(searchParams),
        headers: request.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      });
      const {
        status = 200,
        headers,
        body = {},
        hangUp,
        silent,
      } = answers[seen.length - 1] ?? answers.at(-1) ?? {};
      if (silent) return;
      if (hangUp) request.socket.destroy();
      else response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ends what `listen` began. */
export async function stopListening(): Promise<void> {
  const ended = servers.splice(0).map((server) => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  await Promise.all(ended);
}
