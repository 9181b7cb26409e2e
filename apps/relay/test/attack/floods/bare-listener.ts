import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

// The least that can listen: it reads what comes, throws it away, and says yes. What a flood costs others while it
// goes here is what it costs by sharing the machine.
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.end('{}'));
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false, maxPayload: 64_000_000 });
sockets.on('connection', (socket) => {
  socket.on('error', () => {});
  socket.on('message', () => {});
  socket.once('message', (data: Buffer) => {
    if (data.includes('nobody')) socket.close(4002);
    else socket.send('{"type":"auth-success"}');
  });
});
process.on('disconnect', () => process.exit());
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  process.send?.({ ready: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
