import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Socket } from 'node:net';
import { answerParent } from './child.ts';

/**
 * The floor of event streams: responses that are held open and do nothing, and a loop that writes the same bytes to the socket of
 * each. Nothing that sends events to all of them can cost less.
 */
const sockets = new Set<Socket>();
const server = createServer((_request, response) => {
  const { socket } = response;
  if (!socket) return;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: connected\ndata: {}\n\n');
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

answerParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
  write,
  collect: () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
});

/** Writes an event to all of them, its bytes made once. */
function write({ text }: { text: string }): void {
  const event = Buffer.from(text);
  const chunk = Buffer.concat([Buffer.from(`${event.length.toString(16)}\r\n`), event, Buffer.from('\r\n')]);
  for (const socket of sockets) socket.write(chunk);
}
