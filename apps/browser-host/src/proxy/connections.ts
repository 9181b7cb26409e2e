import { request as sendRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AddressCheck } from './address-check.ts';

/** The header by which an answer of the proxy itself is known. */
export const refusedBy = 'x-refused-by';

const connectWithinMs = 15_000;

/** Node has the addresses of IPv6 without brackets. */
const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1');

/** Opens a tunnel and joins both ends. Rejects where it could not be opened; `client` is then still to be answered. */
export async function openTunnel(
  check: AddressCheck['check'],
  { target, client, head }: { target: string; client: Duplex; head: Buffer },
): Promise<void> {
  const { hostname, port } = new URL(`http://${target}`);
  const remote = await dial(check, hostname, Number(port || 80));
  remote.once('close', () => client.destroy());
  client.once('close', () => remote.destroy());
  if (client.destroyed) return void remote.destroy();
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  remote.write(head);
  remote.pipe(client).pipe(remote);
}

async function dial(check: AddressCheck['check'], hostname: string, port: number): Promise<Socket> {
  const checked = await check(hostname, port);
  const socket = connect({ host: bare(hostname), port, ...checked });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('connect', resolve).once('error', reject);
  socket.setTimeout(connectWithinMs, () => socket.destroy(new Error('not connected in time')));
  await promise;
  socket.setTimeout(0);
  socket.on('error', () => socket.destroy());
  return socket;
}

/** Sends a request on and its answer back. Rejects where its host is refused. */
export async function forward(
  check: AddressCheck['check'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = URL.parse(request.url ?? '');
  if (url?.protocol !== 'http:') return void response.writeHead(400).end();
  const port = Number(url.port || 80);
  const checked = await check(url.hostname, port);
  const {
    'proxy-connection': _connection,
    'proxy-authorization': _authorization,
    ...headers
  } = request.headers;
  const remote = sendRequest({
    host: bare(url.hostname),
    port,
    method: request.method,
    path: url.pathname + url.search,
    headers,
    ...checked,
  });
  remote.setTimeout(connectWithinMs, () => {
    if (remote.socket?.connecting) remote.destroy(new Error('not connected in time'));
  });
  remote.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.once('error', () => response.destroy());
  });
  remote.once('error', () => refuse(response, 502));
  // An answer that switches protocols (101), which nobody asked for, ends in `close` alone.
  remote.once('close', () => {
    if (!response.headersSent) refuse(response, 502);
  });
  response.once('close', () => remote.destroy());
  request.pipe(remote);
}

export function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) return void response.destroy();
  const headers = { 'content-type': 'text/plain', [refusedBy]: 'browser-host' };
  response.writeHead(status, headers).end('Refused by the browser host\n');
}
