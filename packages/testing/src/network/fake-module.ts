import { once } from 'node:events';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { ClientOptions } from 'ws';
import { waitFor } from '../time/wait-for.ts';

/** A parsed frame. */
export interface WireFrame {
  type: string;
  [field: string]: unknown;
}

export interface FakeModuleOptions {
  /** The relay's address with http or ws. `/relay` is added. */
  url: string;
  clientId: string;
  /** Sent in the auth frame. Without it the socket connects and sends nothing. */
  token?: string;
  /** Further fields of the auth frame. */
  declares?: object;
  /** Further query parameters, e.g. `{ worldId: 'w' }`. */
  metadata?: Record<string, string>;
  headers?: Record<string, string>;
  /** Answers a command. An object gets the command's `requestId`; a string or Buffer is sent unchanged. */
  answer?: (command: WireFrame) => object | string | Buffer | undefined;
  socket?: ClientOptions;
}

export interface FakeModule {
  socket: WebSocket;
  /** What carries the frames: bytes are written to it past the WebSocket. */
  transport: Socket;
  /** All text frames received so far, in order. */
  received: WireFrame[];
  /**
   * Resolves with the first frame of a type, received or to come. Each frame is returned once. Rejects as soon as the
   * socket is closed and no such frame came.
   */
  next: (type: string, timeoutMs?: number) => Promise<WireFrame>;
  count: (type: string) => number;
  /** Sends objects as JSON, strings unchanged, and Buffers as binary frames. */
  send: (frame: object | string | Buffer) => void;
  /** Stops reading from the network, so that the relay's send queue fills. */
  pause: () => void;
  resume: () => void;
  /** Ends the connection without a closing handshake. */
  cut: () => void;
  close: (code?: number) => Promise<void>;
  /** Resolves when either side has closed the socket. Never rejects. */
  closed: Promise<{ code: number; reason: string }>;
}

/** The relay refused the upgrade and sent an HTTP answer instead. */
export class UpgradeRefused extends Error {
  readonly status: number;
  readonly retryAfter: string | undefined;

  constructor(status: number, retryAfter?: string) {
    super(`the upgrade was answered with ${status}`);
    this.name = 'UpgradeRefused';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/**
 * Connects a module on a bare socket, which may misbehave. Resolves when the socket is open and, with a token, the auth
 * frame is sent; `next('auth-success')` waits for the answer. Rejects with `UpgradeRefused`.
 */
export async function connectFakeModule(options: FakeModuleOptions): Promise<FakeModule> {
  const { clientId, token, metadata = {}, headers = {}, answer = () => undefined } = options;
  const socket = new WebSocket(addressOf(options.url, { id: clientId, ...metadata }), {
    headers,
    perMessageDeflate: false,
    ...options.socket,
  });
  const received: WireFrame[] = [];
  const taken = new Set<WireFrame>();
  const send = (frame: object | string | Buffer) => {
    socket.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame));
  };
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return;
    const frame = JSON.parse(data.toString()) as WireFrame;
    received.push(frame);
    // What is refused has the id of its frame too, and an answer to that would be refused again.
    const isCommand = typeof frame['requestId'] === 'string' && frame.type !== 'error';
    const reply = isCommand ? answer(frame) : undefined;
    if (reply === undefined || socket.readyState !== WebSocket.OPEN) return;
    const raw = typeof reply === 'string' || Buffer.isBuffer(reply);
    send(raw ? reply : { type: `${frame.type}-result`, requestId: frame['requestId'], ...reply });
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  const transport = await opened(socket);
  if (token !== undefined) send({ type: 'auth', token, ...options.declares });

  return {
    socket,
    transport,
    received,
    closed,
    send,
    count: (type) => received.filter((frame) => frame.type === type).length,
    async next(type, timeoutMs = 15_000) {
      const find = () => received.find((candidate) => candidate.type === type && !taken.has(candidate));
      const isClosed = () => socket.readyState === WebSocket.CLOSED;
      await waitFor(() => find() !== undefined || isClosed(), { timeoutMs, intervalMs: 2 }).catch(() => {});
      const frame = find();
      if (!frame) {
        const seen = received.map((candidate) => candidate.type).join(', ');
        const end = isClosed()
          ? `before the socket closed: ${JSON.stringify(await closed)}`
          : `within ${timeoutMs} ms`;
        throw new Error(`no ${type} frame ${end}; received: ${seen}`);
      }
      taken.add(frame);
      return frame;
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    cut: () => socket.terminate(),
    async close(code = 1000) {
      socket.close(code);
      await closed;
    },
  };
}

function addressOf(base: string, query: Record<string, string>): string {
  const url = new URL('/relay', base.replace(/^http/, 'ws'));
  url.search = new URLSearchParams(query).toString();
  return url.href;
}

/** Resolves with what carries the frames. */
async function opened(socket: WebSocket): Promise<Socket> {
  const { promise: transport, resolve } = Promise.withResolvers<Socket>();
  socket.once('upgrade', (response) => resolve(response.socket));
  const refused = new Promise<never>((_resolve, reject) => {
    socket.once('unexpected-response', (request, response) => {
      response.resume();
      request.destroy();
      reject(new UpgradeRefused(response.statusCode ?? 0, response.headers['retry-after']));
    });
  });
  await Promise.race([once(socket, 'open'), refused]);
  // Some tests reset connections. `closed` reports it, so the error needs no handling.
  socket.on('error', () => {});
  return await transport;
}
