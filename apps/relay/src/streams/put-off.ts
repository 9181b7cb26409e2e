import { errors } from '@tabletop-relay/contract';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';
import { readResumeId } from './resume-id.ts';
import { readEventId } from './events/sse-bytes.ts';

/** What an EventSource is told to wait, before up to as much again is added: many may have been put off at once. */
const leastMs = 3_000;
const mostMs = 60_000;

/**
 * The stream that an EventSource gets where it comes back and waiting mends what is wrong: it only says when to return. By
 * the HTML standard any status but 200 ends an EventSource for good. Undefined for anybody else, who is told the problem.
 */
export function putOff(
  request: Pick<FastifyRequest, 'query' | 'headers'>,
  error: unknown,
): string | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  // Its stream was open: it comes back when the pause is lifted, as it would have stayed.
  if (error.code !== 'paused' && errors[error.code].retryable !== true) return undefined;
  const isByTicket = (request.query as Readonly<Record<string, unknown>>)['ticket'] !== undefined;
  if (!isByTicket || !readEventId(readResumeId(request))?.proof) return undefined;
  const waitMs = 1_000 * Number(error.headers['retry-after'] ?? 0);
  const boundMs = Math.min(Math.max(waitMs, leastMs), mostMs);
  return `: ${error.code}\nretry: ${Math.round(boundMs * (1 + Math.random()))}\n\n`;
}
