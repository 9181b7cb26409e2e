import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ClientOptions } from 'ws';
import { waitFor } from './wait-for.ts';

/** A frame as it stands on the wire, parsed. */
export interface WireFrame {
  type: string;
  [field: string]: unknown;
}

export interface FakeModuleOptions {
  /** The relay's address, http or ws; `/relay` is added. */
  url: string;
  clientId: string;
  /** Sent as the auth frame; absent: the socket connects and says nothing. */
  token?: string;
  /** Further query parameters, e.g. `{ worldId: 'w' }`. */
  metadata?: Record<string, string>;
  headers?: Record<string, string>;
  /** What goes back for a command: an object gets the command's `requestId`, a string or Buffer goes as it is. */
  answer?: (command: WireFrame) => object | string | Buffer | undefined;
  socket?: ClientOptions;
}

export interface FakeModule {
  socket: WebSocket;
  /** All frames received so far, in order; binary ones are left out. */
  received: WireFrame[];
  /** The first frame of a type, arrived or to come; each is given once. */
  next: (type: string, timeoutMs?: number) => Promise<WireFrame>;
  count: (type: string) => number;
  /** Sends anything: objects as JSON, strings as they are, Buffers as binary frames. */
  send: (frame: object | string | Buffer) => void;
  /** Stops reading from the network, so that the relay's send queue fills. */
  pause: () => void;
  resume: () => void;
  /** Ends the connection without a closing handshake. */
  cut: () => void;
  close: (code?: number) => Promise<void>;
  /** Resolves when the socket is closed, whoever closed it; never rejects. */
  closed: Promise<{ code: number; reason: string }>;
}

/** The relay refused the upgrade: an HTTP answer instead of a socket. */
export class UpgradeRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the upgrade was answered with ${status}`);
    this.name = 'UpgradeRefused';
    this.status = status;
  }
}

/**
 * A module on a bare socket, free to misbehave. Resolves when the socket is open (with a token: after the auth
 * frame was sent; `next('auth-success')` waits for the answer), rejects with `UpgradeRefused` otherwise.
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
    const reply = typeof frame['requestId'] === 'string' ? answer(frame) : undefined;
    if (reply === undefined || socket.readyState !== WebSocket.OPEN) return;
    const raw = typeof reply === 'string' || Buffer.isBuffer(reply);
    send(raw ? reply : { type: `${frame.type}-result`, requestId: frame['requestId'], ...reply });
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await opened(socket);
  if (token !== undefined) send({ type: 'auth', token });

  return {
    socket,
    received,
    closed,
    send,
    count: (type) => received.filter((frame) => frame.type === type).length,
    async next(type, timeoutMs = 5_000) {
      const frame = await waitFor(
        () => received.find((candidate) => candidate.type === type && !taken.has(candidate)),
        { timeoutMs, intervalMs: 2 },
      ).catch((cause: unknown) => {
        const seen = received.map((candidate) => candidate.type).join(', ');
        throw new Error(`no ${type} frame within ${timeoutMs} ms; received: ${seen}`, { cause });
      });
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

async function opened(socket: WebSocket): Promise<void> {
  const refused = new Promise<never>((_resolve, reject) => {
    socket.once('unexpected-response', (request, response) => {
      response.resume();
      request.destroy();
      reject(new UpgradeRefused(response.statusCode ?? 0));
    });
  });
  await Promise.race([once(socket, 'open'), refused]);
  // Resets are what some tests are about; `closed` tells of them.
  socket.on('error', () => {});
}
