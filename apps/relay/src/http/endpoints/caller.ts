import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../endpoint-handler.ts';
import { senderOf } from '../../records/sender.ts';
import { cookiesOf } from './cookies.ts';

/** The caller of a request, as handlers see it. */
export function callerOf(request: FastifyRequest, reply: FastifyReply, publicUrl: string) {
  const { session, principal } = request;
  return {
    sender: senderOf(request),
    publicUrl,
    origin: request.headers.origin ?? '',
    askedScopes: request.askedScopes,
    cookies: cookiesOf(request, reply, publicUrl),
    onUndelivered: (work: () => void) => watchDelivery(request, reply, work),
    session,
    principal,
  } satisfies Caller & Pick<FastifyRequest, 'session' | 'principal'>;
}

/** Watches the connection instead of the reply: a reply that waits behind another on its connection never closes. */
function watchDelivery(request: FastifyRequest, reply: FastifyReply, onLost: () => void): void {
  const { socket } = request.raw;
  if (socket.destroyed) return onLost();
  socket.once('close', onLost);
  reply.raw.once('finish', () => socket.off('close', onLost));
}
