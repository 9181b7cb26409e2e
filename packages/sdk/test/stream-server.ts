import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One connection of a listener, as the server sees it. */
export interface Listener {
  /** With its query. */
  path: string;
  headers: IncomingMessage['headers'];
  /** Writes this as it is, in one piece; `taken` is called once it has left. */
  write(text: string | Uint8Array, taken?: () => void): void;
  send(event: string, data: object, id?: string): void;
  end(): void;
  /** Breaks the connection in the middle. */
  cut(): void;
  closed: Promise<void>;
}

/** What happens to a connection; it gets the head of a stream first. */
export type Script = (listener: Listener) => void;

export interface Refusal {
  status: number;
  code: string;
  retryAfter?: number;
  retryable?: boolean;
}

const servers: Server[] = [];

/** The connections since `serveStreams` was called, in their order. */
export const listeners: Listener[] = [];

/** Listens on loopback and does this with each connection in turn, the last thing for ever. */
export async function serveStreams(...turns: (Script | Refusal)[]): Promise<string> {
  listeners.length = 0;
  const server = createServer((request, response) => {
    const listener = listenerOf(request, response);
    const turn = turns[listeners.length] ?? turns.at(-1);
    listeners.push(listener);
    if (typeof turn === 'function') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // Tests have no time for the usual three seconds.
      listener.write('retry: 1\n\n');
      turn(listener);
    } else if (turn) refuse(response, turn);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ends what `serveStreams` began. */
export async function stopStreams(): Promise<void> {
  const ended = servers.splice(0).map((server) => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  await Promise.all(ended);
}

function listenerOf(request: IncomingMessage, response: ServerResponse): Listener {
  return {
    path: request.url ?? '',
    headers: request.headers,
    write: (text, taken) => void response.write(text, taken),
    send: (event, data, id) =>
      void response.write(
        `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
      ),
    end: () => void response.end(),
    cut: () => void request.socket.destroy(),
    closed: new Promise((resolve) => response.once('close', resolve)),
  };
}

function refuse(response: ServerResponse, { status, code, retryAfter, retryable = status === 429 }: Refusal) {
  response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
  response.end(JSON.stringify({ code, status, detail: code, retryable }));
}
