import type { Cluster, Following, Position } from '@tabletop-relay/cluster';
import { channels } from '@tabletop-relay/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import type { RelayMetrics } from '../metrics.ts';
import { ignoredParameters } from '../calls/log-calls.ts';
import { ProblemError } from '../problem.ts';
import { actingUserIn } from '../worlds/acting-users.ts';
import { createOutbox } from '../sockets/outbox.ts';
import { createEventFilter } from './events/event-filter.ts';
import { Listener } from './listener.ts';
import type { OpenListeners } from './open-listeners.ts';
import { readResumeId } from './resume-id.ts';
import { sharePrepared } from './events/share-prepared.ts';
import { readEventId } from './events/sse-bytes.ts';
import { refuseOtherAnswers, SseWriter } from './sse-writer.ts';
import { takeStreamSeat } from './stream-limits.ts';
import type { StreamLimits } from './stream-limits.ts';
import { takenOver } from './stream-tickets.ts';
import type { TicketUse } from './stream-tickets.ts';
import { judgedByRelay } from './subscription.ts';
import type { Subscription } from './subscription.ts';
import { unavailable } from './unavailable.ts';
import type { Opening } from './watch-keys.ts';

export interface OpenStreamDeps {
  cluster: Pick<Cluster, 'streams' | 'seats'>;
  limits: Pick<CallLimits, 'monthly'>;
  open: OpenListeners;
  metrics: RelayMetrics;
  settings: StreamLimits & { streamQueueBytes: number };
  draining: AbortSignal;
}

/** A stream that may be opened. */
export interface Granted {
  principal: Principal;
  subscription: Subscription;
  /** Where a ticket stood in place of the key. */
  ticket?: TicketUse;
  opening: Pick<Opening, 'recheck'>;
}

/** Answers a request with a stream. Rejects with the problem to answer as long as nothing is sent. */
export function createOpenStream(deps: OpenStreamDeps) {
  const { open, metrics, settings } = deps;
  const outbox = createOutbox();
  const prepared = sharePrepared();

  return async function openStream(
    request: FastifyRequest,
    reply: FastifyReply,
    granted: Granted,
  ): Promise<void> {
    const { subscription, ticket } = granted;
    const { channel, clientId, filters } = subscription;
    refuseOtherAnswers(request.headers.accept);
    if (deps.draining.aborted) throw goingAway();
    const after = readEventId(readResumeId(request) ?? subscription.after);
    const { following, principal, leave } = await begin(deps, granted, after);
    const { raw } = reply;
    if (raw.destroyed) return leave();
    const refusal = deps.draining.aborted ? goingAway() : ticket?.isTakenOver() ? takenOver() : undefined;
    if (refusal) {
      leave();
      throw refusal;
    }
    reply.headers(ignoredParameters(subscription.ignored ?? []));
    const actingUserId = actingUserIn(principal, clientId);
    const listener = new Listener({
      writer: new SseWriter(reply, outbox),
      clientId,
      channel,
      following,
      filter: createEventFilter(channels[channel], filters),
      actingUserId,
      asksModule: actingUserId !== undefined && !judgedByRelay(channel),
      prepare: prepared.take(clientId, channel),
      proof: ticket?.proof ?? '',
      queueBytes: settings.streamQueueBytes,
      metrics,
    });
    const remove = open.add({ listener, principal, clientId, ticket });
    metrics.openStreams.labels(channel).inc();
    raw.once('close', () => {
      leave();
      remove();
      prepared.giveBack(clientId, channel);
      metrics.openStreams.labels(channel).dec();
    });
    listener.start();
  };
}

/** Takes the stream's place, counts it for the month, and begins to follow. Resolves with the key as it is then. */
async function begin(
  { cluster, limits: { monthly }, settings }: OpenStreamDeps,
  { principal, subscription: { channel, clientId }, ticket, opening }: Granted,
  after: Position | undefined,
): Promise<{ following: Following; principal: Principal; leave: () => void }> {
  const leaveSeat = await takeStreamSeat(cluster, principal, settings, ticket);
  let following: Following | undefined;
  const leave = (): void => {
    leaveSeat();
    following?.stop();
  };
  try {
    const spentAt = await monthly.spend(principal);
    monthly.count(principal, spentAt);
    const pausedUntil = principal.pauses.liftedAt(clientId);
    following = await cluster.streams.follow({ channel, clientId }, after, pausedUntil).catch(unavailable);
    // A key revoked meanwhile had no open stream yet that would end. From here until the stream is known to `open` nothing
    // waits for I/O, so no event can come in between.
    return { following, principal: await opening.recheck(principal, clientId), leave };
  } catch (error) {
    leave();
    throw error;
  }
}

const goingAway = () => new ProblemError('unavailable', 'This instance is going away. Connect again.');
