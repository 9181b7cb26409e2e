import type { Command } from 'ioredis';
import { Redis } from 'ioredis';
import { ClusterUnavailable } from '../failures.ts';
import type { ClusterTimes } from './times.ts';
import { defaultTimes } from './times.ts';

/** What the cluster needs of an ioredis connection. */
export interface Connection {
  readonly status: string;
  connect(): Promise<void>;
  /** With `true` it dials again. */
  disconnect(reconnect?: boolean): void;
  sendCommand(command: Command): unknown;
  /** What this turn of the event loop sends leaves in one piece at its end: for what comes in crowds. */
  gather?(): void;
  subscribe(...channels: string[]): Promise<unknown>;
  psubscribe(...patterns: string[]): Promise<unknown>;
  on(event: 'ready' | 'close', listener: () => void): unknown;
  on(event: 'messageBuffer', listener: (channel: Buffer, message: Buffer) => void): unknown;
  on(event: 'pmessageBuffer', listener: (pattern: string, channel: Buffer, message: Buffer) => void): unknown;
}

/** Makes a connection that dials when told to. */
export type Connect = (url: string, name: string, times: ClusterTimes) => Connection;

/** Makes connections whose every dial takes user and password from the URL as it is by then. */
export function createConnect(reread: (url: string) => string = (url) => url) {
  return (url: string, name: string, times = defaultTimes): Redis & Connection => {
    const redis = createConnection(url, name, times);
    const { retryStrategy } = redis.options;
    redis.options.retryStrategy = (attempt) => {
      const { username, password } = new URL(reread(url));
      if (username) redis.options.username = decodeURIComponent(username);
      if (password) redis.options.password = decodeURIComponent(password);
      return retryStrategy?.(attempt);
    };
    return redis;
  };
}

/**
 * A connection that never repeats a command and makes no subscription again by itself: with ioredis' defaults a
 * script whose connection is cut before its answer runs twice.
 */
function createConnection(url: string, connectionName: string, times: ClusterTimes): Redis & Connection {
  const redis = new Redis(url.replace(/#.*/, ''), {
    connectionName,
    lazyConnect: true,
    commandTimeout: times.answerMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 1_500,
    // A dead peer answers no FIN: waiting for it would only delay the reconnect.
    disconnectTimeout: 100,
    retryStrategy: (attempt: number) => Math.min(100 * attempt, 500) + Math.random() * 100,
  });
  // What a lost connection means is read from its state; an `error` without a listener would end the process.
  redis.on('error', () => {});
  return Object.assign(redis, {
    gather: () => {
      const { stream } = redis;
      if (redis.status !== 'ready' || stream.writableCorked > 0) return;
      stream.cork();
      setImmediate(() => stream.uncork());
    },
  });
}

/** Drops a connection that may be dead without knowing it, and dials again. */
export function reconnect(redis: Connection): void {
  if (redis.status === 'ready' || redis.status === 'connect') redis.disconnect(true);
}

/**
 * Dials if nobody has dialled yet, and waits while the connection is being made. Resolves at once on a lost
 * connection that waits for its next attempt: commands fail there. Rejects when it is not made in time.
 */
export async function whenDialled(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  if (redis.status === 'wait') redis.connect().catch(() => {});
  if (redis.status !== 'connecting' && redis.status !== 'connect') return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new ClusterUnavailable('Redis is not connected')),
    defaultTimes.answerMs,
  );
  redis.once('ready', resolve).once('close', resolve);
  await promise.finally(() => {
    clearTimeout(timer);
    redis.off('ready', resolve).off('close', resolve);
  });
}
