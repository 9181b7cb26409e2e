/**
 * The events of clients, in order, with a bounded history. A stream is one channel of one client; the cluster reads
 * neither the channel's name nor the events. Each client's owner appends, and listeners on every instance follow.
 */
export interface Streams {
  /**
   * Appends an event that a socket brought. In the order of the calls, each once. While the store is away events wait,
   * within a bound; those beyond it are told to listeners as one `gap`. Has no effect for a conn that is not open.
   */
  append(conn: string, channel: string, event: Buffer): void;
  /** Tells the listeners of events that cannot be appended. */
  appendGap(conn: string, channel: string, dropped?: number): void;
  /**
   * The socket has its claim. Listeners are told that the client is online, unless it only changed its owner.
   * `channels` are those that a client may send.
   */
  open(clientId: string, conn: string, channels: readonly string[]): void;
  /**
   * The socket has ended. Resolves when what it brought is appended, or after a second. With `offline` listeners are told
   * that the client is gone, unless another owner has it. Nothing may be appended for the conn afterwards.
   */
  close(conn: string, end: { offline: boolean }): Promise<void>;
  /** True while somebody listens anywhere, five minutes longer, and for an open conn as long as that is not known yet. */
  isWanted(conn: string, channel: string): boolean;
  /** Called for an open conn on each change of `isWanted`, with the number of listeners, at least 1 while it is wanted. */
  onListeners(listener: (change: ListenersChange) => void): () => void;
  /** How many follow each channel of a client on all instances. Rejects with `ClusterUnavailable`. */
  countListeners(clientId: string, channels: readonly string[]): Promise<number[]>;
  /**
   * Follows a stream, from behind `after` where the history still reaches; `oldest` is the beginning of what is kept. What was appended before `notBefore`, on the monotonic
   * clock, is left out. Rejects with `ClusterUnavailable`. The caller must call `start` or `stop`: messages wait in memory
   * until then.
   */
  follow(stream: StreamId, after?: FollowFrom, notBefore?: number): Promise<Following>;
}

export interface StreamId {
  clientId: string;
  channel: string;
}

export interface ListenersChange {
  clientId: string;
  conn: string;
  channel: string;
  count: number;
}

/** A place in a stream. `n` has no holes within a `gen`, which ends with its history. */
export interface Position {
  gen: string;
  n: number;
}

/** Where to begin. */
export type FollowFrom = Position | 'oldest';

/** A message of a stream with the place that it leads to. All followers on an instance get the same object. */
export type Followed = Readonly<Position> & StreamMessage;

export type StreamMessage =
  | { readonly kind: 'event'; readonly event: Buffer }
  /** Messages are missing here; undefined: nobody knows how many. */
  | { readonly kind: 'gap'; readonly dropped: number | undefined }
  /** `at`: epoch ms by the store's clock. */
  | { readonly kind: 'online' | 'offline'; readonly at: number };

export interface Following {
  /** What came behind `after` was found whole: it is in `missed`. */
  readonly recovered: boolean;
  readonly missed: readonly Followed[];
  /** The place before the first message that `start` brings. */
  readonly position: Position;
  readonly isOnline: boolean;
  /** Messages in order, each once, from now on. */
  start(listener: (message: Followed) => void): void;
  /** Resolves when the listener has heard all that is appended by now. Rejects while the store is away. */
  catchUp(): Promise<void>;
  stop(): void;
}

/** How much streams may hold. */
export interface StreamBounds {
  /** Of the history of one stream. */
  historyEvents: number;
  historyBytes: number;
  historyMs: number;
  /** Of what waits at an owner for the store, for one stream. */
  backlogEvents: number;
  backlogBytes: number;
  /** Of what waits so for all streams of one shard together. */
  backlogTotalBytes: number;
  /** A channel counts as listened to so long after its last listener left. */
  lingerMs: number;
  /** Interval at which an instance looks for what its followers may have missed. */
  checkMs: number;
  /** Interval at which it looks whether the owners of the clients that it follows are still there. */
  checkOwnersMs: number;
  /** How long a new owner waits for what the old one still has to append. */
  handoverMs: number;
}

export const defaultStreamBounds: StreamBounds = {
  historyEvents: 2_000,
  historyBytes: 2 * 1024 * 1024,
  historyMs: 300_000,
  backlogEvents: 2_000,
  backlogBytes: 2 * 1024 * 1024,
  backlogTotalBytes: 64 * 1024 * 1024,
  lingerMs: 300_000,
  checkMs: 5_000,
  checkOwnersMs: 1_000,
  handoverMs: 5_000,
};
