import type { Cluster } from '@tabletop-relay/cluster';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ignoredParameters } from '../calls/log-calls.ts';
import { ProblemError } from '../problem.ts';
import { createOutbox } from '../sockets/outbox.ts';
import { readEventId } from './events/sse-bytes.ts';
import type { Granted, OpenListener } from './open-listener.ts';
import { readResumeId } from './resume-id.ts';
import { refuseOtherAnswers, SseWriter } from './sse-writer.ts';
import { takeStreamSeat } from './stream-limits.ts';
import type { StreamLimits } from './stream-limits.ts';
import { takenOver } from './stream-tickets.ts';

export interface OpenStreamDeps {
  cluster: Pick<Cluster, 'seats'>;
  openListener: OpenListener;
  settings: StreamLimits;
  draining: AbortSignal;
}

/** Answers a request with a stream. Rejects with the problem to answer as long as nothing is sent. */
export function createOpenStream({ cluster, openListener, settings, draining }: OpenStreamDeps) {
  const outbox = createOutbox();

  return async function openStream(
    request: FastifyRequest,
    reply: FastifyReply,
    granted: Granted,
  ): Promise<void> {
    const { subscription, ticket, principal } = granted;
    refuseOtherAnswers(request.headers.accept);
    if (draining.aborted) throw goingAway();
    const after = readEventId(readResumeId(request) ?? subscription.after);
    const leaveSeat = await takeStreamSeat(cluster, principal, settings, ticket);
    const { raw } = reply;
    const connect = (): SseWriter | undefined => {
      if (raw.destroyed) return undefined;
      const refusal = draining.aborted ? goingAway() : ticket?.isTakenOver() ? takenOver() : undefined;
      if (refusal) throw refusal;
      reply.headers(ignoredParameters(subscription.ignored ?? []));
      return new SseWriter(reply, outbox, ticket?.proof);
    };
    const opened = await openListener(granted, after, connect).catch((error: unknown) => {
      leaveSeat();
      throw error;
    });
    if (!opened) return leaveSeat();
    raw.once('close', () => {
      leaveSeat();
      opened.close();
    });
    opened.listener.start();
  };
}

const goingAway = () => new ProblemError('unavailable', 'This instance is going away. Connect again.');
