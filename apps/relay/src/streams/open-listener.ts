import type { Cluster, Following, Position } from '@tabletop-relay/cluster';
import { channels } from '@tabletop-relay/contract';
import type { Principal } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import type { RelayMetrics } from '../metrics.ts';
import { actingUserIn } from '../worlds/acting-users.ts';
import { createEventFilter } from './events/event-filter.ts';
import { sharePrepared } from './events/share-prepared.ts';
import { Listener } from './listener.ts';
import type { OpenListeners } from './open-listeners.ts';
import type { EventWriter } from './sse-writer.ts';
import type { TicketUse } from './stream-tickets.ts';
import { judgedByRelay } from './subscription.ts';
import type { Subscription } from './subscription.ts';
import { unavailable } from './unavailable.ts';
import type { Opening } from './watch-keys.ts';

export interface OpenListenerDeps {
  cluster: Pick<Cluster, 'streams'>;
  limits: Pick<CallLimits, 'monthly'>;
  open: OpenListeners;
  metrics: RelayMetrics;
  settings: { streamQueueBytes: number };
}

/** A stream that may be opened. */
export interface Granted {
  principal: Principal;
  subscription: Subscription;
  /** Where a ticket stood in place of the key. */
  ticket?: TicketUse;
  opening: Pick<Opening, 'recheck'>;
}

/** A listener that is to be started, and closed when its caller has gone. */
export interface OpenedListener {
  listener: Listener;
  close(): void;
}

/**
 * Follows a stream for a caller who has a place for it: it is counted for the month, and known to all that watch over keys. `connect`
 * makes the way to the caller, undefined where that has gone. Rejects with the problem to answer, and with what `connect` throws.
 */
export type OpenListener = (
  granted: Granted,
  after: Position | undefined,
  connect: () => EventWriter | undefined,
) => Promise<OpenedListener | undefined>;

export function createOpenListener(deps: OpenListenerDeps): OpenListener {
  const { open, metrics, settings } = deps;
  const prepared = sharePrepared();

  return async function openListener(granted, after, connect) {
    const { channel, clientId, filters } = granted.subscription;
    const { following, principal } = await begin(deps, granted, after);
    let writer: EventWriter | undefined;
    try {
      writer = connect();
    } finally {
      if (!writer) following.stop();
    }
    if (!writer) return undefined;
    const actingUserId = actingUserIn(principal, clientId);
    const listener = new Listener({
      writer,
      clientId,
      channel,
      following,
      filter: createEventFilter(channels[channel], filters),
      actingUserId,
      asksModule: actingUserId !== undefined && !judgedByRelay(channel),
      prepare: prepared.take(clientId, channel),
      queueBytes: settings.streamQueueBytes,
      metrics,
    });
    const remove = open.add({ listener, principal, clientId, ticket: granted.ticket });
    metrics.openStreams.labels(channel).inc();
    return {
      listener,
      close() {
        following.stop();
        remove();
        prepared.giveBack(clientId, channel);
        metrics.openStreams.labels(channel).dec();
      },
    };
  };
}

/** Counts the stream for the month, and begins to follow. Resolves with the key as it is then. */
async function begin(
  { cluster, limits: { monthly } }: OpenListenerDeps,
  { principal, subscription: { channel, clientId }, opening }: Granted,
  after: Position | undefined,
): Promise<{ following: Following; principal: Principal }> {
  const spentAt = await monthly.spend(principal);
  monthly.count(principal, spentAt);
  const pausedUntil = principal.pauses.liftedAt(clientId);
  const following = await cluster.streams
    .follow({ channel, clientId }, after, pausedUntil)
    .catch(unavailable);
  try {
    // A key revoked meanwhile had no open stream yet that would end. From here until the stream is known to `open` nothing
    // waits for I/O, so no event can come in between.
    return { following, principal: await opening.recheck(principal, clientId) };
  } catch (error) {
    following.stop();
    throw error;
  }
}
