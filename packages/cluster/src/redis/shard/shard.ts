import { readHeartbeat } from '../wire/frames.ts';
import { keys } from '../keys.ts';
import type { ClusterLog } from '../../log.ts';
import type { Connect, Connection } from '../connection.ts';
import { reconnect } from '../connection.ts';
import type { Lease } from './lease.ts';
import { createLease, ShardListMismatch } from './lease.ts';
import type { Listener } from './listener.ts';
import { createListener } from './listener.ts';
import type { Script, ScriptArgument } from '../script.ts';
import { runScript, sendCommand } from '../script.ts';
import type { ClusterTimes } from '../times.ts';

/** One Redis, with the lease, the connections and the subscriptions of this instance on it. */
export interface RedisShard {
  readonly name: string;
  readonly lease: Lease;
  readonly listener: Listener;
  /** Redis answered the last renewal. */
  isAnswering(): boolean;
  /** As `Connection.gather`. */
  gather(): void;
  /** As `runScript`. */
  run<T>(script: Script, keys: readonly string[], args: readonly ScriptArgument[]): Promise<T>;
  send<T>(name: string, args: readonly ScriptArgument[], encoding?: 'utf8' | null): Promise<T>;
  /** Resolves when the lease is taken and the subscription stands; rejects on another list of shards. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ShardOptions {
  url: string;
  boot: string;
  instanceId: string;
  fingerprint: string;
  connect: Connect;
  times: ClusterTimes;
  log: ClusterLog;
}

/** What a shard tells of. */
export interface ShardEvents {
  onCommandMessage: (message: Buffer) => void;
  onReply: (callId: number, message: Buffer) => void;
  onTopic: (topic: string, message: string) => void;
  /** Redis answered a renewal; `reassert`: after a lost lease, a hole in the authority, or a reconnect. */
  onRenewed: (reassert: boolean) => void;
  /** Redis did not answer a renewal. */
  onSilence: () => void;
}

export function createShard(options: ShardOptions, events: ShardEvents): RedisShard {
  const { url, boot, fingerprint, times, log } = options;
  const { host } = new URL(url);
  const redis = options.connect(url, 'relay-commands', times);
  const subscriber = options.connect(url, 'relay-subscriber', times);
  const lease = createLease({ boot, instanceId: options.instanceId, redis, fingerprint, times });
  const listener = createShardListener(subscriber, boot, events);
  const { promise: leased, resolve: firstLease, reject: refused } = Promise.withResolvers<void>();
  let answering = false;
  let reconnected = false;
  let silences = 0;
  let renewing = false;
  let timer: NodeJS.Timeout | undefined;

  const onAnswer = (reassert: boolean): void => {
    if (!answering) log.info({ shard: host }, 'Redis answers');
    answering = true;
    silences = 0;
    listener.check();
    firstLease();
    events.onRenewed(reassert || reconnected);
    reconnected = false;
  };

  const onSilence = (cause: unknown): void => {
    if (answering || cause instanceof ShardListMismatch) {
      log.warn({ shard: host, err: cause }, 'Redis does not renew the lease');
    }
    answering = false;
    silences += 1;
    if (cause instanceof ShardListMismatch) refused(cause);
    // A connection whose peer vanished would wait for TCP's own time-outs, which take minutes.
    else if (silences % 2 === 0) reconnect(redis);
    events.onSilence();
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
    if (answering) log.warn({ shard: host }, 'the connection to Redis is lost');
    answering = false;
  });

  return {
    name: host,
    lease,
    listener,
    isAnswering: () => answering,
    gather: () => redis.gather?.(),
    run: (script, scriptKeys, args) => runScript(redis, script, scriptKeys, args),
    send: (name, args, encoding) => sendCommand(redis, name, args, encoding),
    start: async () => {
      timer = setInterval(() => void renew(), times.renewMs);
      // Both dial again by themselves; what counts is the lease and the subscription.
      for (const connection of [redis, subscriber]) connection.connect().catch(() => {});
      await Promise.all([leased, listener.listening]);
    },
    stop: async () => {
      clearInterval(timer);
      answering = false;
      await lease.giveUp().catch(() => {});
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}

function createShardListener(redis: Connection, boot: string, events: ShardEvents): Listener {
  const replies = keys.replies(boot);
  const topicAt = keys.topic('').length;
  const listener = createListener({
    redis,
    channels: [keys.commands(boot)],
    patterns: [`${replies}*`, keys.topics],
    onMessage: (_channel, message) => {
      const heartbeat = readHeartbeat(message);
      if (heartbeat === undefined) events.onCommandMessage(message);
      else listener.heard(heartbeat);
    },
    onPatternMessage: (pattern, channel, message) => {
      if (pattern === keys.topics) events.onTopic(channel.toString('utf8', topicAt), message.toString());
      else events.onReply(Number(channel.toString('latin1', replies.length)), message);
    },
  });
  return listener;
}
