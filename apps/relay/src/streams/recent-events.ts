import type { Cluster, Followed } from '@tabletop-relay/cluster';
import { channelNames, channels } from '@tabletop-relay/contract';
import type { Channel } from '@tabletop-relay/contract';
import type { KeysByHash, Principal } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import { invalidFields, ProblemError } from '../problem.ts';
import { actingUserIn } from '../worlds/acting-users.ts';
import { createEventFilter } from './events/event-filter.ts';
import { createPrepare, readEventId } from './events/sse-bytes.ts';
import type { ParsedEvent } from './events/sse-bytes.ts';
import { isVisibleTo } from './events/visible-to.ts';
import { queryOf } from './read-filters.ts';
import { takeStreamSeat } from './stream-limits.ts';
import type { StreamLimits } from './stream-limits.ts';
import { checkMayFollow, readSubscription } from './subscription.ts';
import type { Subscription, SubscriptionDeps } from './subscription.ts';
import { unavailable } from './unavailable.ts';
import type { WatchOpening } from './watch-keys.ts';

/** What of a channel a program asks for that keeps no stream open. */
export interface RecentAsked {
  world?: unknown;
  channel?: unknown;
  /** The `after` of an earlier answer; else the history from its beginning. */
  after?: unknown;
  /** Seconds to wait for the next event where there is none. */
  wait?: unknown;
  filters?: unknown;
}

export interface RecentEvents {
  events: { name: string; data: object }[];
  /** Ask from here the next time. */
  after: string;
  /** Whether nothing is missing between the `after` that was asked from and these events. */
  complete: boolean;
  /** There is more: ask again at once. */
  more: boolean;
  worldOnline: boolean;
}

/** Who asks, and as whom the key may be used in this place: it is narrowed again each time it is read. */
export interface RecentCaller {
  /** The key as it was when the request was let in. */
  admitted: Principal;
  narrow(principal: Principal): Principal;
}

/** Resolves at once where there are events, else when one comes, the time is over, or the program has gone. Rejects with the problem to tell. */
export type ReadRecent = (
  asked: RecentAsked,
  caller: RecentCaller,
  signal: AbortSignal,
) => Promise<RecentEvents>;

export interface RecentEventsDeps extends Omit<SubscriptionDeps, 'cluster'> {
  cluster: SubscriptionDeps['cluster'] & Pick<Cluster, 'streams' | 'seats'>;
  keys: Pick<KeysByHash, 'renew'>;
  limits: Pick<CallLimits, 'monthly'>;
  settings: StreamLimits;
  watchOpening: WatchOpening;
  /** Aborts when this instance is going away. */
  leaving: AbortSignal;
}

const maxWaitS = 25;
const maxEvents = 100;
/** An event that alone has more is answered alone. */
const maxCharacters = 30_000;

/** Reads the history of a stream, and counts as an open stream meanwhile. */
export function createReadRecent(deps: RecentEventsDeps): ReadRecent {
  const { cluster, keys, limits, settings, watchOpening, leaving } = deps;

  return async function readRecent(asked, caller, signal) {
    const { narrow } = caller;
    const { channel, after, waitS, query } = readAsked(asked);
    const opening = watchOpening(caller.admitted);
    try {
      // Of what changed while the body came nothing was heard.
      const admitted = await keys.renew(caller.admitted);
      const principal = narrow(admitted);
      const subscription = await readSubscription(deps, { channel, principal, query, header: undefined });
      const { clientId } = subscription;
      const leave = await takeStreamSeat(cluster, principal, settings, undefined);
      try {
        limits.monthly.count(principal, await limits.monthly.spend(principal));
        const read = await collect(subscription, after, {
          principal,
          waitMs: waitS * 1_000,
          signal: AbortSignal.any([signal, leaving]),
        });
        // The key may have been revoked, narrowed or paused while it waited.
        const now = narrow(await opening.recheck(admitted, clientId));
        checkMayFollow(now, clientId);
        if (actingUserIn(now, clientId) !== actingUserIn(principal, clientId)) throw boundAnew();
        return read;
      } finally {
        leave();
      }
    } finally {
      opening.end();
    }
  };

  async function collect(
    { channel, clientId, filters }: Subscription,
    after: ReturnType<typeof readEventId>,
    { principal, waitMs, signal }: { principal: Principal; waitMs: number; signal: AbortSignal },
  ): Promise<RecentEvents> {
    const notBefore = principal.pauses.liftedAt(clientId);
    const following = await cluster.streams
      .follow({ channel, clientId }, after ?? 'oldest', notBefore)
      .catch(unavailable);
    const prepare = createPrepare({ clientId, channel });
    const passes = createEventFilter(channels[channel], filters);
    const user = actingUserIn(principal, clientId);
    const isFor = (parsed: ParsedEvent): boolean =>
      (passes?.(parsed.name, parsed.data) ?? true) &&
      (user === undefined || isVisibleTo(user, channel, parsed));
    const events: RecentEvents['events'] = [];
    let { position, isOnline: worldOnline } = following;
    let complete = following.recovered;
    let more = false;
    let characters = 0;
    const take = (followed: Followed): void => {
      if (more) return;
      const { parsed } = prepare(followed);
      if (parsed && isFor(parsed)) {
        characters += JSON.stringify(parsed.data).length;
        more = events.length > 0 && (events.length >= maxEvents || characters > maxCharacters);
        if (more) return;
        events.push({ name: parsed.name, data: parsed.data });
      }
      position = { gen: followed.gen, n: followed.n };
      if (followed.kind === 'gap') complete = false;
      if (followed.kind === 'online' || followed.kind === 'offline') worldOnline = followed.kind === 'online';
    };
    try {
      for (const followed of following.missed) take(followed);
      const { promise, resolve } = Promise.withResolvers<void>();
      following.start((followed) => {
        take(followed);
        if (events.length > 0) resolve();
      });
      if (events.length === 0 && waitMs > 0) await waitFor(promise, waitMs, signal);
    } finally {
      following.stop();
    }
    return { events, after: `${position.gen}:${position.n}`, complete, more, worldOnline };
  }
}

/** Until it is so, the time is over, or nobody waits any more. */
async function waitFor(happened: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  const stop = () => over.resolve();
  signal.addEventListener('abort', stop, { once: true });
  await Promise.race([happened, over.promise]);
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
}

function readAsked({ world, channel, after, wait = 0, filters = {}, ...more }: RecentAsked) {
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) throw refuse(unknown.slice(0, 50), 'is unknown');
  if (!isChannel(channel)) throw refuse('channel', `must be one of ${channelNames.join(', ')}`);
  if (typeof wait !== 'number' || !Number.isInteger(wait) || wait < 0 || wait > maxWaitS)
    throw refuse('wait', `must be a whole number of seconds up to ${maxWaitS}`);
  const query = queryOf(filters, world);
  const position = readEventId(after);
  if (after !== undefined && after !== null && !position)
    throw refuse('after', 'must be the `after` of an earlier answer, or be left out');
  return {
    channel,
    after: position,
    waitS: wait,
    query,
  };
}

const isChannel = (name: unknown): name is Channel => (channelNames as unknown[]).includes(name);

const refuse = (field: string, message: string): ProblemError => invalidFields([{ field, message }]);

const boundAnew = (): ProblemError =>
  new ProblemError('unavailable', 'The key acts as another user since a moment ago. Ask again.', {
    retryAfterS: 1,
  });
