import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../../problem.ts';

/**
 * Refuses a browser's request from another site. With `required`, when a cookie vouches for the request, one of the two
 * headers must be there. Without it programs pass, which send neither.
 */
export function checkSameOrigin(request: FastifyRequest, publicUrl: string, required: boolean): void {
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  if (site === undefined && origin === undefined && !required) return;
  // Browsers send no Sec-Fetch-Site over plain http.
  const isSame = site === undefined ? origin === new URL(publicUrl).origin : site === 'same-origin';
  if (!isSame) throw new ProblemError('origin_refused');
}

export function isUnsafe(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}
