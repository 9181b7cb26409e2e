import type { Reservations } from './reservations.ts';
import type { Streams } from './streams/streams.ts';

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
  /** Pings the socket, which serves or waits. True when any frame arrives within 2 s. */
  probe(conn: string): Promise<boolean>;
  /**
   * The socket lost its client, or its place among those that wait: because it did not answer a probe (`silent`), because a newcomer brought a handover that
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

/** How many may wait for one client, over all instances. */
export const maxStandbys = 5;

/** A socket that waits for a client, on any instance that lives. */
export interface Standby extends Claim {
  /** Its instance. */
  boot: string;
}

/**
 * Sockets that wait for a client which another socket serves. They are told when the client seems free (`Instance.promote`),
 * and may then claim it: one claim is made at a time, under the lease, as any other. So however many try, one owner results.
 */
export interface Standbys {
  /**
   * Puts a socket on the waiting list of its client, until `leave`. It is kept there while this instance has a lease. `full`:
   * five wait already, and each of them answers a ping or its instance says nothing; those that do not are evicted as `silent`. Rejects
   * with `ClusterUnavailable`.
   */
  join(standby: Claim): Promise<'waiting' | 'full'>;
  /** Takes a socket off the list. Has no effect on one that is not there. */
  leave(clientId: string, conn: string): void;
  /**
   * Claims the client for a standby. Unlike a newcomer, it neither pings an owner that has its lease nor fences it, and leaves a
   * client alone whose own browser is expected back. `duplicate`: the client is served, or expected.
   */
  succeed(claim: Claim): Promise<ClaimOutcome>;
  /**
   * Takes the client from its living owner, for a standby that a person chose. The owner acts no more before the claim is made; its
   * socket is evicted as `handed_over`.
   */
  takeOver(claim: Claim): Promise<ClaimOutcome>;
  /**
   * Releases a client whose socket has ended to its standbys, who are told. `isWhole`: all that the socket brought was appended, so
   * that listeners need no gap where the next one claims within a second.
   */
  vacate(clientId: string, conn: string, end: { isWhole: boolean }): Promise<void>;
  /** Those that wait for each of these clients, the longest waiting first. Rejects with `ClusterUnavailable`. */
  find(clientIds: readonly string[]): Promise<Map<string, Standby[]>>;
}

/** Seats in halls: things of which only so many may be open at the same time, over all instances. */
export interface Seats {
  /**
   * Takes a seat in each of these halls, or in none where one is full. Halls of one `group` are kept together. Rejects with
   * `ClusterUnavailable`. The seats of an instance that dies are free again within a minute. `named` lets a later seat take
   * the place of this one.
   */
  take(group: string, halls: readonly Hall[], named?: NamedSeat): Promise<SeatOutcome>;
}

export interface NamedSeat {
  name: string;
  /**
   * Of the seats of one name the one with the highest turn alone is taken, on whatever instance they are. Who lost his place
   * this way need not know: leaving it again frees nothing.
   */
  turn: number;
}

export interface Hall {
  name: string;
  max: number;
}

/** `full` tells the hall that had no seat. `overtaken`: a later turn of the same name has it. */
export type SeatOutcome =
  { outcome: 'taken'; leave: () => void } | { outcome: 'full'; hall: Hall } | { outcome: 'overtaken' };

/** How the seats of one name begin; their turn follows. */
export const startOfSeats = ({ name }: NamedSeat): string => `${name}:`;

/**
 * Notes that open something once, and again only to who proves to have been there. The cluster reads neither notes nor
 * proofs. Every method rejects with `ClusterUnavailable`.
 */
export interface Tickets {
  /** Keeps a note under the digest of a ticket, for so long as it is not used. */
  issue(id: string, note: string, unusedMs: number): Promise<void>;
  /**
   * Opens a ticket that is used for the first time, or by who shows the proof of its last use or of the one before that;
   * undefined for any other. `next` is the proof of this use: the use before may never have learnt its own. So a proof that is
   * shown many times at once opens many times, and who opens tells by the `turn` which of them is the newest.
   */
  use(id: string, proof: { shown: string; next: string }): Promise<TicketNote | undefined>;
  /** Keeps used tickets for five more minutes. Resolves with the turn of the last use of each that is known. */
  keep(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

interface TicketNote {
  note: string;
  /** Counts the uses of a ticket, from 1. */
  turn: number;
}

/** How long who used a ticket may be away. */
export const ticketAwayMs = 300_000;
