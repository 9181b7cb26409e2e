import type { ClusterLog } from '../../log.ts';
import type { Connect, Connection } from '../connection.ts';
import { keys } from '../keys.ts';
import type { Script, ScriptArgument } from '../script.ts';
import { runScript, sendCommand } from '../script.ts';
import type { ClusterTimes } from '../times.ts';
import { readHeartbeat } from '../wire/frames.ts';
import type { Lease } from './lease.ts';
import { createLease } from './lease.ts';
import type { Listener } from './listener.ts';
import { createListener } from './listener.ts';
import { createRenewal } from './renewal.ts';

/** One Redis server with the lease, the connections and the subscriptions of this instance on it. */
export interface RedisShard {
  readonly name: string;
  readonly lease: Lease;
  readonly listener: Listener;
  /** Redis answered the last renewal of the lease. */
  isAnswering(): boolean;
  /** As `Connection.cork`. */
  cork(): void;
  /** As `runScript`. */
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
  connect: Connect;
  times: ClusterTimes;
  log: ClusterLog;
}

export interface ShardEvents {
  onCommandMessage: (message: Buffer) => void;
  onReply: (callId: number, message: Buffer) => void;
  onTopic: (topic: string, message: string) => void;
  /** Redis answered a renewal. The claims must be asserted again after a lost lease, a lapse or a reconnect. */
  onRenewed: (mustReassert: boolean) => void;
  /** Redis did not answer a renewal. */
  onSilence: () => void;
}

export function createShard(options: ShardOptions, events: ShardEvents): RedisShard {
  const { url, boot, fingerprint, times, log } = options;
  const { host: name } = new URL(url);
  const redis = options.connect(url, 'relay-commands', times);
  const subscriber = options.connect(url, 'relay-subscriber', times);
  const lease = createLease({ boot, instanceId: options.instanceId, redis, fingerprint, times });
  const listener = createShardListener(subscriber, boot, events);
  const { onRenewed, onSilence } = events;
  const renewal = createRenewal({ name, redis, lease, listener, log, onRenewed, onSilence });
  let timer: NodeJS.Timeout | undefined;

  return {
    name,
    lease,
    listener,
    isAnswering: renewal.isAnswering,
    cork: () => redis.cork?.(),
    run: (script, scriptKeys, args) => runScript(redis, script, scriptKeys, args),
    send: (command, args, encoding) => sendCommand(redis, command, args, encoding),
    start: async () => {
      timer = setInterval(() => void renewal.renew(), times.renewMs);
      // A failed dial is repeated, so only the lease and the subscription are awaited.
      for (const connection of [redis, subscriber]) connection.connect().catch(() => {});
      await Promise.all([renewal.leased, listener.listening]);
    },
    stop: async () => {
      clearInterval(timer);
      renewal.stop();
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
