import type { ReadingStore } from '../../cluster.ts';
import { ClusterUnavailable } from '../../failures.ts';
import type { ClusterLog } from '../../log.ts';
import { readMessage } from '../../message.ts';
import type { Message } from '../../message.ts';
import type { BulkBounds } from '../bulk-bounds.ts';
import { reconnect, runScript, sendCommand } from '../connection.ts';
import type { Connect, Connection, Script, ScriptArgument } from '../connection.ts';
import { AnotherRedis, createIdentity } from '../identity/identity.ts';
import type { Identity } from '../identity/identity.ts';
import { keys } from '../keys.ts';
import type { ClusterTimes } from '../times.ts';
import { createBulkLink } from './bulk-link.ts';
import type { BulkLink } from './bulk-link.ts';
import { ShardListMismatch, createLease } from './lease.ts';
import type { Lease } from './lease.ts';
import { createReplySlots } from './reply-slots.ts';
import type { ReplySlots } from './reply-slots.ts';

/** One Redis server with the lease, the connections and the subscriptions of this instance on it. */
export interface RedisShard {
  readonly name: string;
  /** The place in the list of shards, which is the same on all instances. */
  readonly index: number;
  readonly identity: Pick<Identity, 'isForeign' | 'isWaiting' | 'reading'>;
  readonly lease: Lease;
  readonly listener: Listener;
  readonly replySlots: ReplySlots;
  readonly bulk: BulkLink;
  /** Redis answered the last renewal of the lease. */
  isAnswering(): boolean;
  /** What Redis, or the way to it, said last when something failed. Undefined while nothing has. */
  trouble(): string | undefined;
  /** As `runScript`. Rejects with `ClusterUnavailable` before the connection is known to lead to the Redis of all. */
  run<T>(script: Script, keys: readonly string[], args: readonly ScriptArgument[]): Promise<T>;
  /** As `sendCommand`. */
  send<T>(name: string, args: readonly ScriptArgument[], encoding?: 'utf8' | null): Promise<T>;
  /**
   * Dials, and tells what happens from then on. Resolves when the lease is taken and the subscription stands. Rejects when the
   * shard list differs.
   */
  start(events: ShardEvents): Promise<void>;
  stop(): Promise<void>;
}

export interface ShardOptions {
  url: string;
  boot: string;
  instanceId: string;
  fingerprint: string;
  /** The place of this shard in the list, and the length of the list. */
  index: number;
  count: number;
  bounds: BulkBounds;
  connect: Connect;
  readings: ReadingStore;
  times: ClusterTimes;
  log: ClusterLog;
}

export interface ShardEvents {
  /** A message on the channel of this instance, but for its own heartbeats. */
  onCommandMessage: (message: Message) => void;
  onReply: (message: Buffer) => void;
  /** A message on a bulk channel. */
  onChunk: (message: Buffer) => void;
  onBulkLost: () => void;
  onBroadcast: (message: Buffer) => void;
  /** Redis answered a renewal. The claims must be asserted again after a lost lease, a lapse or a reconnect. */
  onRenewed: (mustReassert: boolean) => void;
  /** Redis did not answer a renewal. */
  onSilence: () => void;
  /** This instance has come to another Redis. */
  onForeign: () => void;
  /** It is back on the Redis of all. Its other connections may still lead to the other one. */
  onReturn: () => void;
}

// oxlint-disable-next-line max-lines-per-function -- It is the list of the parts of a shard, from top to bottom.
export function createShard(options: ShardOptions): RedisShard {
  const { url, boot, fingerprint, times, log } = options;
  const { host: name } = new URL(url);
  const redis = options.connect(url, 'relay-commands', times);
  const subscriber = options.connect(url, 'relay-subscriber', times);
  /** Undefined until it is started: nothing happens before. */
  let events: ShardEvents | undefined;
  let trouble: string | undefined;
  const note = (cause: unknown): void => void (trouble = messageOf(cause));
  for (const connection of [redis, subscriber]) connection.on('error', note);
  const onForeign = (): void => {
    lease.end();
    events?.onForeign();
  };
  const onOurs = (wasForeign: boolean): void => {
    if (wasForeign) events?.onReturn();
    void renewal.renew();
  };
  const identity = createIdentity({ ...options, place: name, onForeign, onOurs });
  const lease = createLease({ boot, instanceId: options.instanceId, redis, fingerprint, identity, times });
  const { listener, replySlots } = createSubscriptions({
    ...options, redis: subscriber, events: () => events, onRefused: note,
  }); // prettier-ignore
  const bulk = createBulkLink(
    { url, boot, channels: options.bounds.channels, connect: options.connect, times },
    { onChunk: (message) => events?.onChunk(message), onLost: () => events?.onBulkLost() },
  );
  const onSilence = (cause: unknown): void => {
    // Where the connection is not there, it has said why already.
    if (redis.status === 'ready') note(cause);
    if (cause instanceof AnotherRedis) identity.compare();
    events?.onSilence();
  };
  const onRenewed = (mustReassert: boolean): void => events?.onRenewed(mustReassert);
  const { closed: onClose, isComparing } = identity;
  const renewal = createRenewal({
    name, redis, lease, listener, log, onRenewed, onSilence, onClose, isComparing,
  }); // prettier-ignore
  const ifOurs = <T>(ask: () => Promise<T>): Promise<T> =>
    identity.isSeen() ? ask() : Promise.reject(notOurs(name));
  let timer: NodeJS.Timeout | undefined;

  return {
    name,
    index: options.index,
    identity,
    lease,
    listener,
    replySlots,
    bulk,
    isAnswering: renewal.isAnswering,
    trouble: () => trouble,
    run: (script, scriptKeys, args) => ifOurs(() => runScript(redis, script, scriptKeys, args)),
    send: (command, args, encoding) => ifOurs(() => sendCommand(redis, command, args, encoding)),
    start: async (own) => {
      events = own;
      timer = setInterval(() => void renewal.renew(), times.renewMs);
      // A failed dial is repeated, so only the lease and the subscription are awaited.
      for (const connection of [redis, subscriber]) connection.connect().catch(() => {});
      bulk.start();
      await Promise.all([renewal.leased, listener.listening, bulk.listening]);
    },
    stop: async () => {
      clearInterval(timer);
      renewal.stop();
      await lease.giveUp().catch(() => {});
      redis.disconnect();
      subscriber.disconnect();
      bulk.stop();
    },
  };
}

const notOurs = (name: string): ClusterUnavailable =>
  new ClusterUnavailable(`${name} is not known to be the Redis of all instances`);

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

interface SubscriptionsOptions extends Pick<ShardOptions, 'boot' | 'index' | 'count'> {
  redis: Connection;
  events: () => ShardEvents | undefined;
  onRefused: (cause: unknown) => void;
}

/** What this instance hears on a shard, and the channels that it lends to replies. */
function createSubscriptions(options: SubscriptionsOptions): { listener: Listener; replySlots: ReplySlots } {
  const { redis, boot, index, count, events, onRefused } = options;
  const replySlots = createReplySlots({
    boot,
    first: index,
    step: count,
    // On a connection that is broken already, the listener subscribes to all again.
    subscribe: (channels) =>
      redis.subscribe(...channels).catch((cause: unknown) => {
        reconnect(redis);
        throw cause;
      }),
  });
  const commands = keys.commands(boot);
  const [commandsName, broadcastName] = [Buffer.from(commands), Buffer.from(keys.broadcast)];
  const onCommand = (bytes: Buffer): void => {
    const message = readMessage(bytes);
    if (message?.kind === 'heartbeat') listener.heard(message.count);
    else if (message) events()?.onCommandMessage(message);
  };
  const listener = createListener({
    redis,
    channels: () => [commands, keys.broadcast, ...replySlots.channels()],
    onStanding: replySlots.stand,
    onRefused,
    onMessage: (channel, message) => {
      if (channel.equals(commandsName)) onCommand(message);
      else if (channel.equals(broadcastName)) events()?.onBroadcast(message);
      else events()?.onReply(message);
    },
  });
  return { listener, replySlots };
}

/** Renews the lease of this instance on one shard, and knows from it whether Redis answers. */
export interface Renewal {
  /** Redis answered the last renewal, and its connection has not been lost since. */
  isAnswering(): boolean;
  /** Does nothing while a renewal is in flight. Never rejects. */
  renew(): Promise<void>;
  /** Counts Redis as unavailable from now on. */
  stop(): void;
  /** Resolves when the lease was taken for the first time. Rejects when the shard list differs. */
  readonly leased: Promise<void>;
}

export interface RenewalOptions {
  name: string;
  redis: Connection;
  lease: Lease;
  listener: Listener;
  log: ClusterLog;
  /** Redis answered. The claims must be asserted again after a lost lease, a lapsed authority or a reconnect. */
  onRenewed: (mustReassert: boolean) => void;
  onSilence: (cause: unknown) => void;
  /** The connection closed, or is dropped. */
  onClose: () => void;
  /** Other instances are asked whether this is their Redis: the answer is of the present connection. */
  isComparing: () => boolean;
}

export function createRenewal(options: RenewalOptions): Renewal {
  const { name, redis, lease, listener, log } = options;
  const { promise: leased, resolve: firstLease, reject: refused } = Promise.withResolvers<void>();
  let answering = false;
  let reconnected = false;
  let silences = 0;
  let renewing = false;

  const onAnswer = (mustReassert: boolean): void => {
    if (!answering) log.info({ shard: name }, 'Redis answers');
    answering = true;
    silences = 0;
    listener.check();
    firstLease();
    options.onRenewed(mustReassert || reconnected);
    reconnected = false;
  };

  const onSilence = (cause: unknown): void => {
    if (answering || cause instanceof ShardListMismatch) {
      log.warn({ shard: name, err: cause }, 'Redis did not renew the lease');
    }
    answering = false;
    silences += 1;
    if (cause instanceof ShardListMismatch) refused(cause);
    // A connection whose peer vanished would wait for the time-outs of TCP, which take minutes.
    else if (silences % 2 === 0 && !(cause instanceof AnotherRedis && options.isComparing())) {
      // What was found on it would be compared in vain.
      options.onClose();
      reconnect(redis);
    }
    options.onSilence(cause);
  };

  const renew = async (): Promise<void> => {
    if (renewing) return;
    renewing = true;
    try {
      onAnswer(await lease.renew(listener.nextHeartbeat()));
    } catch (cause) {
      onSilence(cause);
    } finally {
      renewing = false;
    }
  };

  redis.on('ready', () => {
    reconnected = true;
    void renew();
  });
  redis.on('close', () => {
    options.onClose();
    if (answering) log.warn({ shard: name }, 'the connection to Redis is lost');
    answering = false;
  });

  return { isAnswering: () => answering, renew, stop: () => (answering = false), leased };
}

/** The subscriptions of this instance on one shard. They stand before calls need them. */
export interface Listener {
  /** True while the subscription stands and at most one heartbeat in a row was missed. */
  isListening(): boolean;
  /** Called when a lost subscription stands again. Messages published in between never arrive. Returns an unsubscribe. */
  onGap(listener: () => void): () => void;
  /** The count for the next heartbeat, which this instance sends to itself. */
  nextHeartbeat(): number;
  /** To be called with the count of each heartbeat received. */
  heard(count: number): void;
  /** To be called after each answered renewal. Dials again when the heartbeats no longer arrive. */
  check(): void;
  /** Resolves once the subscription stands for the first time. */
  readonly listening: Promise<void>;
}

export interface ListenerOptions {
  redis: Connection;
  /** Read at each new subscription. */
  channels: () => string[];
  /** Called when the subscription stands, the first time and each time again. */
  onStanding: () => void;
  onMessage: (channel: Buffer, message: Buffer) => void;
  /** Redis did not take the subscription. It is asked again. */
  onRefused: (cause: unknown) => void;
}

export function createListener(options: ListenerOptions): Listener {
  const { redis } = options;
  const gapListeners = new Set<() => void>();
  const { promise: listening, resolve: firstStanding } = Promise.withResolvers<void>();
  let standing = false;
  let stoodBefore = false;
  let sentCount = 0;
  let heardCount = 0;
  let missed = 0;

  const subscribe = async (): Promise<void> => {
    await redis.subscribe(...options.channels());
    standing = true;
    missed = 0;
    heardCount = sentCount;
    options.onStanding();
    if (stoodBefore) for (const notify of gapListeners) notify();
    stoodBefore = true;
    firstStanding();
  };

  redis.on(
    'ready',
    () =>
      void subscribe().catch((cause: unknown) => {
        options.onRefused(cause);
        reconnect(redis);
      }),
  );
  redis.on('close', () => (standing = false));
  redis.on('messageBuffer', options.onMessage);

  return {
    isListening: () => standing,
    onGap: (listener) => {
      const own = (): void => listener();
      gapListeners.add(own);
      return () => gapListeners.delete(own);
    },
    nextHeartbeat: () => ++sentCount,
    heard: (count) => {
      heardCount = count;
      missed = 0;
    },
    check: () => {
      if (!standing) return;
      // The newest may still be in flight. A second miss may be a busy process that has not read its socket yet.
      missed = heardCount < sentCount - 1 ? missed + 1 : 0;
      if (missed < 2) return;
      standing = false;
      reconnect(redis);
    },
    listening,
  };
}
