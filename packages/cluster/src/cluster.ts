/**
 * What an instance needs of its cluster, whichever driver stands behind it. Bodies are opaque here: the bus
 * never changes when an operation does.
 */
export interface Cluster {
  /** 80 random bits per process: what the others address. */
  readonly boot: string;
  /** The label that people read. */
  readonly instanceId: string;
  readonly directory: Directory;
  readonly bus: Bus;
  readonly broadcast: Broadcast;
  /** Resolves when the lease is taken and this instance listens; rejects when it can't within 10 s. */
  start(instance: Instance): Promise<void>;
  /** Gives the lease up and disconnects; claims still held are released first. */
  stop(): Promise<void>;
  health(): ClusterHealth;
}

export interface ClusterHealth {
  /** `degraded`: the store does not answer at all; `deaf`: it answers, but our own subscription is dead. */
  state: 'up' | 'degraded' | 'deaf';
  detail?: string;
}

/** What the cluster asks of the instance that it belongs to. */
export interface Instance {
  /**
   * A command for a client of ours. Called only before its expiry, with conn and epoch current and authority
   * to act. A `BusFailure` reaches the asker as it is, any other error as `lost`. Abandoned when the asker gave
   * up; ends by itself after `budgetMs`, for an asker may die without a word.
   */
  deliver(command: Command): Asked<Reply>;
  /** Pings the socket; true when any frame arrives within 2 s. */
  probe(conn: string): Promise<boolean>;
  /** The socket has lost its client: `silent` (a newcomer fences it off) or `superseded` (another owner). */
  evict(conn: string, why: 'silent' | 'superseded'): void;
  /** Which conns are open here: what is claimed and not open any more is released. */
  claims(): Iterable<Claim & { epoch: number }>;
}

export interface Claim {
  clientId: string;
  /** 96 random bits per socket. */
  conn: string;
  accountId: string;
  /** Opaque to the cluster; what `GET /clients` tells of an online client. */
  meta: string;
}

export type ClaimOutcome =
  | { outcome: 'mine'; epoch: number }
  /** The incumbent is alive, or its hold in Postgres counts. */
  | { outcome: 'duplicate'; instanceId?: string }
  /** The store is away, or nobody could decide within 7 s. */
  | { outcome: 'unavailable'; cause: string };

export interface Presence {
  clientId: string;
  accountId: string;
  meta: string;
  /** Released with a time to come back: a drained instance's client. */
  moving: boolean;
}

/** The right to act for a client at this moment. */
export type Authority = 'owner' | 'held' | 'frozen';

export interface Directory {
  /**
   * Runs the whole connect algorithm: claim, probe of the incumbent, hold check, fencing. A socket that closed
   * meanwhile has to be released after it.
   */
  claim(claim: Claim): Promise<ClaimOutcome>;
  /** Erases nothing when another conn owns the client by now. With `movingMs` the client may come back elsewhere. */
  release(clientId: string, conn: string, movingMs?: number): Promise<void>;
  /** Synchronous: read before every frame. */
  authority(clientId: string): Authority;
  /** The clients of these that are online anywhere. Rejects with `ClusterUnavailable`. */
  find(clientIds: readonly string[]): Promise<Map<string, Presence>>;
}

export interface Command {
  clientId: string;
  conn: string;
  callId: string;
  body: Buffer;
  /** Milliseconds left until nobody waits any more. */
  budgetMs: number;
}

/** `head` is short and opaque text; `body` passes through as it came. */
export interface Reply {
  head: string;
  body: Buffer;
}

/** A question to a client that another instance owns. */
export interface Question {
  clientId: string;
  accountId: string;
  body: Buffer;
  budgetMs: number;
}

/** Something that was asked for: what is awaited, and the way to give it up. */
export interface Asked<T> {
  reply: Promise<T>;
  /** Nobody waits any more. Does nothing once the reply is there. */
  abandon(): void;
}

export interface Bus {
  /**
   * At most once. Rejects with `BusFailure`, which says whether the command may have been delivered. Abandoned, the
   * owner abandons it too.
   */
  ask(question: Question): Asked<Reply>;
}

/** How a question failed: the row of the failure table and what it means for a repetition. */
export type BusFailureReason =
  /** Nobody owns the client, or it belongs to another account. */
  | 'no_owner'
  /** Lapsed, deaf, moving, or the store is away: 503. */
  | 'unavailable'
  /** Sent, and the owner, its answer or our subscription is gone: 502. */
  | 'lost'
  /** The budget ran out: 504. */
  | 'timeout'
  /** The caller hung up. */
  | 'aborted';

/** Messages to every instance, best effort, in order per sender; lost while the store is away. */
export interface Broadcast {
  publish(topic: string, message: string): Promise<void>;
  /** Own messages included. Returns the way to stop. */
  subscribe(topic: string, listener: (message: string) => void): () => void;
  /** Times that the subscription was lost and stands again: what came in between is lost. */
  onGap(listener: () => void): () => void;
}

/** Holds in Postgres: what keeps an owner's authority while Redis is away. */
export interface HoldStore {
  /** Upserts `held_until = now() + ms` for the boot; rejects when Postgres is away. */
  hold(boot: string, ms: number): Promise<void>;
  isHeld(boot: string): Promise<boolean>;
}
