import Fastify from 'fastify';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { answerParent } from './child.ts';

/**
 * The least that relays at all: no keys, limits, metrics, deadlines or checks, answers matched by their order and
 * never looked at. What a relay cannot do without costs this much.
 */
const app = Fastify();
const sockets = new Map<string, { ws: WebSocket; waiting: ((body: Buffer) => void)[] }>();
let calls = 0;
app.post('/', async (request, reply) => {
  const socket = sockets.get((request.query as { clientId: string }).clientId);
  if (!socket) return reply.code(404).send();
  const fields = JSON.stringify(request.body).slice(1);
  const body = await new Promise<Buffer>((resolve) => {
    socket.waiting.push(resolve);
    socket.ws.send(`{"type":"skill-check","requestId":"skill-check_${++calls}",${fields}`);
  });
  return reply.type('application/json; charset=utf-8').send(body);
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
const server = new WebSocketServer({ server: app.server, path: '/relay', perMessageDeflate: false });
server.on('connection', (ws, request) => {
  const id = new URL(request.url as string, url).searchParams.get('id') as string;
  const waiting: ((body: Buffer) => void)[] = [];
  sockets.set(id, { ws, waiting });
  ws.once('message', () => {
    ws.on('message', (data: Buffer) => waiting.shift()?.(data));
    ws.send('{"type":"auth-success"}');
  });
});
answerParent(url);
