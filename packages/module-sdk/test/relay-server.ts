import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { vi } from 'vitest';

/** The relay's end of one socket. */
export interface Peer {
  socket: WebSocket;
  url: URL;
  token: string;
  handover: unknown;
  standby: unknown;
  /** Every frame after the first, as parsed JSON. */
  received: Record<string, unknown>[];
  send(frame: object): void;
  /** The first frame received that has all these fields. */
  frame(fields: Record<string, unknown>): Promise<Record<string, unknown>>;
}

export interface RelayServer {
  url: string;
  /** Sockets whose first frame came, in order. */
  peers: Peer[];
  /** The next socket after those that were asked for before. */
  nextPeer(): Promise<Peer>;
  /** What to do once a socket's first frame came: a number closes with that code. */
  admit: (peer: Peer) => 'welcome' | 'nothing' | number;
  http: (request: IncomingMessage, body: Record<string, unknown>, response: ServerResponse) => void;
  heartbeatMs: number;
  close(): Promise<void>;
}

/** A relay of a few lines, on loopback, that does what a test tells it. */
export async function startRelay(port = 0): Promise<RelayServer> {
  const http = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => relay.http(request, JSON.parse(text || '{}'), response));
  });
  const sockets = new WebSocketServer({ server: http });
  let asked = 0;

  sockets.on('connection', (socket, request) => {
    socket.on('error', () => undefined);
    socket.once('message', (first: Buffer) => {
      const { token, handover, standby } = JSON.parse(first.toString());
      const peer = { ...makePeer(socket, request, String(token)), handover, standby };
      relay.peers.push(peer);
      const verdict = relay.admit(peer);
      const clientId = peer.url.searchParams.get('id');
      if (typeof verdict === 'number') socket.close(verdict);
      else if (verdict === 'welcome') {
        peer.send({ type: 'auth-success', instanceId: 'one', clientId, heartbeatMs: relay.heartbeatMs });
      }
    });
  });

  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  const relay: RelayServer = {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`,
    peers: [],
    async nextPeer() {
      const index = asked;
      asked += 1;
      return vi.waitUntil(() => relay.peers[index], { timeout: 15_000, interval: 2 });
    },
    admit: () => 'welcome',
    http: (_request, _body, response) => response.writeHead(404).end(),
    heartbeatMs: 20_000,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return relay;
}

function makePeer(
  socket: WebSocket,
  request: IncomingMessage,
  token: string,
): Omit<Peer, 'handover' | 'standby'> {
  const received: Record<string, unknown>[] = [];
  socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString())));
  return {
    socket,
    url: new URL(request.url ?? '/', 'ws://relay'),
    token,
    received,
    send: (frame) => socket.send(JSON.stringify(frame)),
    frame: (fields) =>
      vi.waitUntil(
        () =>
          received.find((frame) => Object.entries(fields).every(([name, value]) => frame[name] === value)),
        { timeout: 15_000, interval: 2 },
      ),
  };
}
