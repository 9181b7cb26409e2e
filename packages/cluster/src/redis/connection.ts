import { answerWithin } from './answer-within.ts';
import type { Command } from 'ioredis';
import { Redis } from 'ioredis';
import { createBlobConnector } from './bulk/blob-connector.ts';
import type { BlobTaker } from './bulk/blob-filter.ts';
import { largeBytes } from './large-command.ts';
import { ClusterUnavailable } from '../failures.ts';
import type { ClusterTimes } from './times.ts';
import { defaultTimes } from './times.ts';

/** The part of an ioredis connection that the cluster uses. */
export interface Connection {
  readonly status: string;
  connect(): Promise<void>;
  /** With `true` it dials again. */
  disconnect(reconnect?: boolean): void;
  sendCommand(command: Command): unknown;
  /** Holds back what is sent until the end of this turn of the event loop, so that it leaves in one write. */
  cork?(): void;
  subscribe(...channels: string[]): Promise<unknown>;
  unsubscribe?(...channels: string[]): Promise<unknown>;
  on(event: 'ready' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'messageBuffer', listener: (channel: Buffer, message: Buffer) => void): unknown;
}

/** Makes a connection. It does not dial before `connect` is called. */
export type Connect = (
  url: string,
  name: string,
  times: ClusterTimes,
  /** Takes the large blobs of each dial. */
  createTaker?: () => BlobTaker,
) => Connection;

/** `reread` answers the current URL. Each dial takes user and password from it, so that they can be rotated. */
export function createConnect(reread: (url: string) => string = (url) => url) {
  return (
    url: string,
    name: string,
    times = defaultTimes,
    createTaker?: () => BlobTaker,
  ): Redis & Connection => {
    const redis = createConnection(url, name, times, createTaker);
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
 * A connection that neither repeats a command nor restores a subscription. With the defaults of ioredis, a script runs
 * twice when its connection is cut before the answer.
 */
function createConnection(
  url: string,
  connectionName: string,
  times: ClusterTimes,
  createTaker?: () => BlobTaker,
): Redis & Connection {
  const redis = new Redis(url.replace(/#.*/, ''), {
    connectionName,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 1_500,
    // A dead peer never answers the FIN, so waiting for it would only delay the reconnect.
    disconnectTimeout: 100,
    ...(createTaker ? { Connector: createBlobConnector(largeBytes, createTaker) } : {}),
    retryStrategy: (attempt: number) => Math.min(100 * attempt, 500) + Math.random() * 100,
  });
  // An `error` event without a listener would end the process. The connection's status tells all that is needed.
  redis.on('error', () => {});
  return Object.assign(redis, {
    sendCommand: (...sent: Parameters<Redis['sendCommand']>) =>
      answerWithin(times.answerMs, Redis.prototype.sendCommand.apply(redis, sent) as Promise<unknown>),
    cork: () => {
      const { stream } = redis;
      if (redis.status !== 'ready' || stream.writableCorked > 0) return;
      stream.cork();
      setImmediate(() => stream.uncork());
    },
  });
}

/** Drops a connection whose peer may have vanished, and dials again. */
export function reconnect(redis: Connection): void {
  if (redis.status === 'ready' || redis.status === 'connect') redis.disconnect(true);
}

/**
 * Dials if that has not happened yet, and waits for a dial in progress. Resolves also when the dial failed: commands
 * reject then. Rejects with `ClusterUnavailable` when the dial takes too long.
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
