import type { ReadingStore } from '../../cluster.ts';
import { ClusterUnavailable } from '../../failures.ts';
import type { ClusterLog } from '../../log.ts';
import type { BulkBounds } from '../bulk/bulk-bounds.ts';
import type { Connect, Connection } from '../connection.ts';
import { reconnect } from '../connection.ts';
import { keys } from '../keys.ts';
import type { Script, ScriptArgument } from '../script.ts';
import { runScript, sendCommand } from '../script.ts';
import type { ClusterTimes } from '../times.ts';
import type { Message } from '../../message.ts';
import { readMessage } from '../../message.ts';
import type { BulkLink } from './bulk-link.ts';
import { createBulkLink } from './bulk-link.ts';
import { AnotherRedis, createIdentity } from '../identity/identity.ts';
import type { Identity } from '../identity/identity.ts';
import type { Lease } from './lease.ts';
import { createLease } from './lease.ts';
import type { Listener } from './listener.ts';
import { createListener } from './listener.ts';
import { createRenewal } from './renewal.ts';
import type { ReplySlots } from './reply-slots.ts';
import { createReplySlots } from './reply-slots.ts';

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
  /** Resolves when the lease is taken and the subscription stands. Rejects when the shard list differs. */
  start(): Promise<void>;
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
export function createShard(options: ShardOptions, events: ShardEvents): RedisShard {
  const { url, boot, fingerprint, times, log } = options;
  const { host: name } = new URL(url);
  const redis = options.connect(url, 'relay-commands', times);
  const subscriber = options.connect(url, 'relay-subscriber', times);
  let trouble: string | undefined;
  const note = (cause: unknown): void => void (trouble = messageOf(cause));
  for (const connection of [redis, subscriber]) connection.on('error', note);
  const onForeign = (): void => {
    lease.end();
    events.onForeign();
  };
  const onOurs = (wasForeign: boolean): void => {
    if (wasForeign) events.onReturn();
    void renewal.renew();
  };
  const identity = createIdentity({ ...options, place: name, onForeign, onOurs });
  const lease = createLease({ boot, instanceId: options.instanceId, redis, fingerprint, identity, times });
  const { listener, replySlots } = createSubscriptions({
    ...options, redis: subscriber, events, onRefused: note,
  }); // prettier-ignore
  const bulk = createBulkLink(
    { url, boot, channels: options.bounds.channels, connect: options.connect, times },
    { onChunk: events.onChunk, onLost: events.onBulkLost },
  );
  const onSilence = (cause: unknown): void => {
    // Where the connection is not there, it has said why already.
    if (redis.status === 'ready') note(cause);
    if (cause instanceof AnotherRedis) identity.compare();
    events.onSilence();
  };
  const { onRenewed } = events;
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
    start: async () => {
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
  events: ShardEvents;
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
    else if (message) events.onCommandMessage(message);
  };
  const listener = createListener({
    redis,
    channels: () => [commands, keys.broadcast, ...replySlots.channels()],
    onStanding: replySlots.stand,
    onRefused,
    onMessage: (channel, message) => {
      if (channel.equals(commandsName)) onCommand(message);
      else if (channel.equals(broadcastName)) events.onBroadcast(message);
      else events.onReply(message);
    },
  });
  return { listener, replySlots };
}
