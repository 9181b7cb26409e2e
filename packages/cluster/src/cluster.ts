import type { Reservations } from './reservations.ts';
import type { Seats } from './seats.ts';
import type { Standbys } from './standbys.ts';
import type { Streams } from './streams/streams.ts';
import type { Tickets } from './tickets.ts';

/**
 * The cluster as one instance uses it, independent of the driver. The cluster does not read the bodies of calls, so a
 * change of an operation never changes the bus.
 */
export interface Cluster {
  /** Random id of this process (80 bits). The other instances address it by this id. */
  readonly boot: string;
  /** The configured name, for people. Not necessarily unique over time. */
  readonly instanceId: string;
  readonly directory: Directory;
  readonly standbys: Standbys;
  readonly bus: Bus;
  readonly broadcast: Broadcast;
  readonly streams: Streams;
  readonly seats: Seats;
  readonly tickets: Tickets;
  readonly reservations: Reservations;
  /** Resolves when the lease is taken and the subscription stands. Rejects when that takes longer than 10 s. */
  start(instance: Instance): Promise<void>;
  /** Releases the remaining claims, ends the lease and disconnects. */
  stop(): Promise<void>;
  health(): ClusterHealth;
  /** What this instance finds on each Redis shard, by its place in the list. Empty without Redis. */
  readings(): Record<number, RedisReading>;
}

export interface ClusterHealth {
  /**
   * `degraded`: the store does not answer. `deaf`: it answers, but the subscription of this instance is dead. `foreign`: it
   * is another Redis than that of the other instances, and this one serves nothing.
   */
  state: 'up' | 'degraded' | 'deaf' | 'foreign';
  detail?: string;
  /** There is no store: the instance is the only one. */
  isAlone?: true;
}

/** Why a socket lost its client. */
export type EvictionReason = 'silent' | 'handed_over' | 'superseded' | 'foreign';

/** Callbacks of the instance that the cluster belongs to. */
export interface Instance {
  /**
   * Delivers a call to a client of this instance. Called only before the call's expiry, with the current conn and
   * epoch, and with the authority to act. A rejection with `BusFailure` reaches the asker unchanged, any other as
   * `lost`. The signal is aborted when the asker gives up. Must end by itself after `budgetMs`, because an asker may die silently.
   */
  deliver(call: ReceivedCall, signal: AbortSignal): Promise<Reply>;
  /**
   * The socket is being let in, so it cannot be probed. Its claim counts as alive: if that were fenced now, the socket would
   * open after it had lost its client. True from before the claim until the socket is one of `claims`, or was refused.
   */
  isArriving(conn: string): boolean;
  /** Pings the socket. True when any frame arrives within 2 s. */
  probe(conn: string): Promise<boolean>;
  /**
   * The socket lost its client: because it did not answer a probe (`silent`), because a newcomer brought a handover that
   * was offered for it (`handed_over`), because another owner has the client (`superseded`), or because this instance has
   * come to another Redis, where it may not serve (`foreign`). One that is handed over is the client's own, and its calls in
   * flight may end on it.
   */
  evict(conn: string, why: EvictionReason): void;
  /**
   * The client of this standby seems to be free: `Standbys.succeed` says whether it is. Told again each second while it seems so.
   */
  promote(conn: string): void;
  /** The open sockets of this instance. Claims of sockets that are no longer open get released. */
  claims(): Iterable<Claim & { epoch: number }>;
}

export interface Claim {
  clientId: string;
  /** Random id of the socket (96 bits). */
  conn: string;
  accountId: string;
  /** What the owner says of the client and its module, for the other instances. The cluster does not read it. */
  meta: string;
}

export type ClaimOutcome =
  | { outcome: 'mine'; epoch: number }
  /** The incumbent is alive, or its hold in Postgres is valid. */
  | { outcome: 'duplicate'; instanceId?: string }
  /** The store is unavailable, or there was no decision within 7 s. */
  | { outcome: 'unavailable'; cause: string };

export interface Presence {
  clientId: string;
  accountId: string;
  meta: string;
  /** The client left an instance that is draining, and has time to come back. */
  moving: boolean;
}

/** The right of this instance to act for a client now. `held`: by a hold in Postgres. `frozen`: no right. */
export type Authority = 'owner' | 'held' | 'frozen';

export interface Directory {
  /**
   * Runs the connect algorithm: claim, probe of the incumbent, check of its hold, fencing. If the socket closes
   * meanwhile, the caller must release the claim afterwards. With the `handover` that the owner offered, the claim is made
   * at once, also while the owner lives; any other text has no effect.
   */
  claim(claim: Claim, handover?: string): Promise<ClaimOutcome>;
  /**
   * Lets a newcomer that brings `handover` take the client. The owner keeps its claim and its authority until then, and
   * other newcomers are judged as before. Used up by the claim that it opens. The text must be secret, random, and new
   * for each offer. Has no effect when another conn owns the client.
   */
  offer(clientId: string, conn: string, handover: string): Promise<void>;
  /** Has no effect when another conn owns the client. With `movingMs` the client has that time to come back. */
  release(clientId: string, conn: string, movingMs?: number): Promise<void>;
  /** Synchronous, because it is read before every frame. */
  authority(clientId: string): Authority;
  /** Whether this conn has the claim, as far as this instance knows. True also without the authority to act. */
  owns(clientId: string, conn: string): boolean;
  /** Finds which of these clients are online on any instance. Rejects with `ClusterUnavailable`. */
  find(clientIds: readonly string[]): Promise<Map<string, Presence>>;
}

/** A call as its owner gets it. */
export interface ReceivedCall {
  clientId: string;
  conn: string;
  callId: string;
  /** As the asker gave it. */
  head: object;
  body: Buffer;
  /** Milliseconds until the asker stops waiting. */
  budgetMs: number;
}

/** The cluster reads neither: `head` is a small object that JSON can hold, `body` passes through unchanged. */
export interface Reply {
  head: object;
  body: Buffer;
  /** To be called once when the body is no longer needed. Its bytes count as in flight until then. A small reply has none. */
  release?: (() => void) | undefined;
}

/** A call to a client, which any instance may own. */
export interface Call {
  clientId: string;
  accountId: string;
  /** What the owner is told beside the body: a small object that JSON can hold. */
  head: object;
  body: Buffer;
  budgetMs: number;
}

export interface Bus {
  /**
   * Delivers at most once. Rejects with `BusFailure`, which tells whether the call may have been delivered. When the signal is
   * aborted, nobody waits any more: the owner is told.
   */
  call(call: Call, signal?: AbortSignal): Promise<Reply>;
}

/** Why a call failed. The HTTP status depends on it. */
export type BusFailureReason =
  /** No instance owns the client, or the client belongs to another account: 404. */
  | 'no_owner'
  /** The owner lapsed or is deaf, the client is moving, or the store is unavailable: 503. */
  | 'unavailable'
  /** The call was sent, and then the owner, its reply or the asker's subscription was lost: 502. */
  | 'lost'
  /** The budget ran out: 504. */
  | 'timeout'
  /** The caller hung up. */
  | 'aborted';

/** Messages to every instance. Best effort, in order per sender. Lost while the store is unavailable. */
export interface Broadcast {
  publish(topic: string, message: string): Promise<void>;
  /** Also hears the messages of this instance. Returns a function that ends the subscription. */
  subscribe(topic: string, listener: (message: string) => void): () => void;
  /** Called each time that a lost subscription stands again. Messages published in between are lost. */
  onGap(listener: () => void): () => void;
}

/** Holds in Postgres. A valid hold keeps an owner's authority over the clients of a Redis shard that does not answer. */
export interface HoldStore {
  /**
   * Holds the shards, named by their places in the list, for `ms` from now on, 0: no more. Holds of others stay as they are.
   * Rejects when Postgres is unavailable.
   */
  hold(boot: string, shards: readonly number[], ms: number): Promise<void>;
  isHeld(boot: string, shard: number): Promise<boolean>;
}

/** What an instance tells of the Redis of one shard. */
export interface RedisReading {
  /** The random id of the Redis that this instance serves with. */
  id: string;
  /** The id that it found last; '' where there was none. */
  found: string;
  /** Host and port, without credentials. */
  place: string;
  /** How long ago it found that. */
  ageMs: number;
}

export interface OtherReading extends RedisReading {
  instanceId: string;
  /** How long ago the instance was heard of. */
  heardMs: number;
}

/** What instances on one database tell each other of their Redis. In Postgres, because that is what they surely share. */
export interface ReadingStore {
  /**
   * Shows what all other instances told of this shard, the last heard first, and tells for this one what `decide` answers.
   * One instance at a time, so that of two that start at once the second knows of the first. Rejects when Postgres is
   * unavailable; then nothing was told.
   */
  tell(
    of: { boot: string; shard: number },
    decide: (others: readonly OtherReading[]) => RedisReading | undefined,
  ): Promise<void>;
}
