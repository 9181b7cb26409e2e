import { normalizeAddress, toPlainText } from '@tabletop-relay/kit';
import type { FastifyRequest } from 'fastify';
import type { Sender } from '../endpoint-handler.ts';

/** Address and browser of a request; the address is Fastify's, which believes only trusted proxies. */
export function senderOf(request: FastifyRequest): Sender {
  return {
    ipAddress: normalizeAddress(request.ip),
    userAgent: toPlainText((request.headers['user-agent'] ?? '').slice(0, 500)),
  };
}
