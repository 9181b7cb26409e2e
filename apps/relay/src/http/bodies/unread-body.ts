import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A body that is announced to be no larger than this costs no more than headers may: 16 KiB. */
const smallBodyBytes = 16_384;

/** How long a client may go on sending behind an answer that came before its body's end. */
const lingerMs = 5_000;

/** Node reads no more at once. Behind the end of a body the next request may stand in its last chunk. */
const chunkBytes = 65_536;

/** The bytes that the headers announce. A chunked body tells no length: it may be endless. */
export function announcedBytes(headers: IncomingHttpHeaders): number {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : Infinity;
}

export function announcesMuch(headers: IncomingHttpHeaders): boolean {
  return announcedBytes(headers) > smallBodyBytes;
}

/**
 * Answers that go out before the body of their request was read (a refusal, or an answer that needs none): the rest is
 * read and thrown away behind them, because a client that sends everything before it reads must still find its answer.
 * Node would close the connection right behind an answer with `connection: close`, and TCP then resets what was not read.
 * So the answer says `keep-alive`, also to a client that wants to close.
 *
 * The connection goes on behind a body that comes whole, unless the client wanted to close. It ends where the body is not
 * whole within 5 s, and at once where more comes than the largest body that the route takes.
 */
export function throwAwayBodies(app: FastifyInstance, options: ThrowAwayOptions): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    throwAwayBody(request, reply, options);
    done(null, payload);
  });
}

export interface ThrowAwayOptions {
  /** So much may come behind any answer; where the route takes larger bodies, as much as those. */
  maxBodyBytes: number;
  /** Whether nothing more of a connection can be read, so that it ends behind this answer. */
  isUnreadable(socket: Socket): boolean;
}

/** For an answer that passes no hook. To be called before it is sent. */
export function throwAwayBody(request: FastifyRequest, reply: FastifyReply, options: ThrowAwayOptions): void {
  const { raw } = request;
  const isLast = !reply.raw.shouldKeepAlive;
  const endsSoon = isLast || reply.getHeader('connection') === 'close';
  // A small body ends by itself where the connection goes on.
  if (raw.complete || announcedBytes(raw.headers) <= (endsSoon ? 0 : smallBodyBytes)) return;
  if (options.isUnreadable(raw.socket)) return;
  const maxBytes = Math.max(options.maxBodyBytes, request.routeOptions.bodyLimit ?? 0);
  reply.raw.once('finish', () => discard(raw, { maxBytes, isLast }));
  void reply.headers({ connection: 'keep-alive', 'keep-alive': `timeout=${lingerMs / 1_000}` });
}

function discard(
  request: IncomingMessage,
  { maxBytes, isLast }: { maxBytes: number; isLast: boolean },
): void {
  const { socket } = request;
  if (socket.destroyed) return;
  const most = socket.bytesRead + maxBytes + chunkBytes;
  const count = () => {
    if (socket.bytesRead > most) socket.destroy();
  };
  const deadline = setTimeout(() => socket.destroySoon(), lingerMs);
  const stop = () => {
    clearTimeout(deadline);
    socket.off('data', count).off('close', stop);
    if (isLast) socket.destroySoon();
  };
  // It came whole before its answer was sent.
  if (request.readableEnded) return stop();
  socket.on('data', count).once('close', stop);
  request.once('end', stop);
  // Whoever read some of it has stopped.
  request.resume();
}
