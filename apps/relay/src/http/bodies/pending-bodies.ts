import { announcedBytes } from '../../calls/request-bytes.ts';
import { addressBlock } from '@tabletop-relay/kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, IncomingHttpHeaders } from 'node:http';
import { ProblemError } from '../../problem.ts';
import type { Socket } from 'node:net';

/** One half-read body. */
interface Pending {
  bytes: number;
  since: number;
  refuse(): void;
}

/** What one address (v6: its /64) has half sent. */
interface Sender {
  bytes: number;
  pending: Set<Pending>;
}

/** One address may hold this part of what all may hold. */
const shareOfAddress = 1 / 4;

const bodyless = new Set(['GET', 'HEAD', 'TRACE']);

/** Fastify hands these methods on without their body, and a relayed GET reads it by itself. */
const isRead = ({ method, routeOptions }: FastifyRequest): boolean =>
  !bodyless.has(method) || (method === 'GET' && routeOptions.config.relayed !== undefined);

/**
 * Bounds the bytes of half-read bodies over all connections of this instance. Where they would be too many, the
 * address that holds most gives way, and of its bodies the one that comes slowest. Small bodies are not counted:
 * they cost no more than headers, and the number of connections is bounded.
 */
export function limitPendingBodies(
  app: FastifyInstance,
  { maxPendingBodyBytes }: { maxPendingBodyBytes: number },
): void {
  const pendingBodies = createPendingBodies(maxPendingBodyBytes);
  app.addHook('preParsing', (request, reply, payload, done) => {
    // What is not read is thrown away, and a longer one is refused before anything of it is read.
    if (!announcesMuch(request.headers) || !isRead(request) || !isWithinLimit(request))
      return done(null, payload);
    if (pendingBodies.track(request, reply, payload as IncomingMessage)) done(null, payload);
    else done(overloaded());
  });
}

function isWithinLimit({ headers, routeOptions }: FastifyRequest): boolean {
  const announced = announcedBytes(headers);
  return announced === Infinity || announced <= routeOptions.bodyLimit;
}

function createPendingBodies(maxBytes: number) {
  const senders = new Map<string, Sender>();
  let pendingBytes = 0;

  /** Whether a body fits, after the senders have given way that hold more than its own sender then would. */
  function freeBytes(bytes: number, senderBytes: number): boolean {
    while (pendingBytes + bytes > maxBytes) {
      const most = heaviest(senders.values());
      if (!most || most.bytes <= senderBytes + bytes) return false;
      refuseSlowest(most);
    }
    return true;
  }

  /** Counts what comes of this body until it is whole, answered or gone; false where there is no room for it. */
  function track(request: FastifyRequest, reply: FastifyReply, payload: IncomingMessage): boolean {
    // Its caller hung up while the head was checked: nothing of it comes any more, and no event would end it here.
    if (payload.destroyed) return true;
    const address = addressBlock(request.ip);
    const announced = Math.min(announcedBytes(request.headers), request.routeOptions.bodyLimit);
    if (!freeBytes(announced, senders.get(address)?.bytes ?? 0)) return false;
    const sender = senders.get(address) ?? { bytes: 0, pending: new Set() };
    senders.set(address, sender);
    const count = (chunk: Buffer) => {
      pending.bytes += chunk.length;
      sender.bytes += chunk.length;
      pendingBytes += chunk.length;
      if (sender.bytes > maxBytes * shareOfAddress) refuseSlowest(sender);
      while (pendingBytes > maxBytes) refuseSlowest(heaviest(senders.values()) as Sender);
    };
    const leave = () => {
      if (!sender.pending.delete(pending)) return;
      payload.off('data', count);
      pendingBytes -= pending.bytes;
      sender.bytes -= pending.bytes;
      if (sender.pending.size === 0) senders.delete(address);
    };
    const pending: Pending = {
      bytes: 0,
      since: performance.now(),
      refuse() {
        leave();
        // Fastify's reader takes it for the body's end and answers it.
        payload.emit('error', overloaded());
      },
    };
    sender.pending.add(pending);
    payload.on('data', count);
    payload.on('error', leave);
    payload.once('end', leave);
    payload.once('close', leave);
    reply.raw.once('finish', leave);
    return true;
  }

  return { track };
}

function heaviest(senders: Iterable<Sender>): Sender | undefined {
  let found: Sender | undefined;
  for (const sender of senders) if (sender.bytes > (found?.bytes ?? 0)) found = sender;
  return found;
}

/** The rest of a body that comes slowly holds its bytes longest. */
function refuseSlowest({ pending }: Sender): void {
  const now = performance.now();
  const rate = ({ bytes, since }: Pending) => bytes / (now - since + 1);
  let slowest: Pending | undefined;
  for (const one of pending) if (!slowest || rate(one) < rate(slowest)) slowest = one;
  slowest?.refuse();
}

function overloaded(): ProblemError {
  return new ProblemError('overloaded', 'Too many large bodies are on their way to this instance.');
}

/** A body that is announced to be no larger than this costs no more than headers may: 16 KiB. */
const smallBodyBytes = 16_384;

/** How long a client may go on sending behind an answer that came before its body's end. */
const lingerMs = 5_000;

/** Node reads no more at once. Behind the end of a body the next request may stand in its last chunk. */
const chunkBytes = 65_536;

function announcesMuch(headers: IncomingHttpHeaders): boolean {
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
