import type { Channel } from '@tabletop-relay/contract';
import type { Principal } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import { readEventId } from './events/sse-bytes.ts';
import type { OpenedListener, OpenListener } from './open-listener.ts';
import { queryOf } from './read-filters.ts';
import type { EventWriter } from './sse-writer.ts';
import { readSubscription } from './subscription.ts';
import type { Subscription, SubscriptionDeps } from './subscription.ts';
import type { WatchOpening } from './watch-keys.ts';

/** What a caller asks to follow who has a way for its events already. */
export interface SubscribeAsked {
  channel: Channel;
  clientId?: unknown;
  filters?: unknown;
  /** The id of the last event that it has. */
  lastEventId?: unknown;
}

/**
 * Follows a channel for a caller with a way of its own; the listener is to be started by whoever asks. It costs a call of the minute and
 * of the month, as a stream does. To be called in the turn in which the key was found. `connect` is told what was subscribed, and
 * answers undefined where the caller has gone. Rejects with the problem to answer.
 */
export type Subscribe = (
  principal: Principal,
  asked: SubscribeAsked,
  connect: (subscription: Subscription) => EventWriter | undefined,
) => Promise<OpenedListener | undefined>;

export interface SubscribeDeps extends SubscriptionDeps {
  limits: Pick<CallLimits, 'spendMinute'>;
  openListener: OpenListener;
  watchOpening: WatchOpening;
}

export function createSubscribe(deps: SubscribeDeps): Subscribe {
  const { limits, openListener, watchOpening } = deps;
  return async function subscribe(principal, { channel, clientId, filters = {}, lastEventId }, connect) {
    const opening = watchOpening(principal);
    try {
      await limits.spendMinute(principal);
      const query = queryOf(filters, clientId);
      const subscription = await readSubscription(deps, { channel, principal, query, header: undefined });
      const granted = { principal, subscription, opening };
      return await openListener(granted, readEventId(lastEventId), () => connect(subscription));
    } finally {
      opening.end();
    }
  };
}
