import { Command, Redis, ReplyError } from 'ioredis';
import { ClusterUnavailable } from '../failures.ts';
import { defaultTimes } from './times.ts';
import type { ClusterTimes } from './times.ts';
import { createHash } from 'node:crypto';

export type CommandArgument = string | number | Buffer;

/** The part of an ioredis connection that the cluster uses. What is sent is answered within `answerMs`, or rejects with `NoAnswer`. */
export interface Connection {
  readonly status: string;
  connect(): Promise<void>;
  /** With `true` it dials again. */
  disconnect(reconnect?: boolean): void;
  /** The answer comes as bytes where `replyEncoding` is null. */
  send(name: string, args: readonly CommandArgument[], replyEncoding: 'utf8' | null): Promise<unknown>;
  subscribe(...channels: string[]): Promise<unknown>;
  unsubscribe?(...channels: string[]): Promise<unknown>;
  on(event: 'ready' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'messageBuffer', listener: (channel: Buffer, message: Buffer) => void): unknown;
}

/** A connection whose next dial can be awaited: see `whenDialled`. */
export interface DialledConnection extends Connection {
  once(event: 'ready' | 'close', listener: () => void): unknown;
  off(event: 'ready' | 'close', listener: () => void): unknown;
}

/** Makes a connection. It does not dial before `connect` is called. */
export type Connect = (url: string, name: string, times: ClusterTimes) => Connection;

/** `reread` answers the current URL. Each dial takes user and password from it, so that they can be rotated. */
export function createConnect(reread: (url: string) => string = (url) => url) {
  return (url: string, name: string, { answerMs } = defaultTimes): DialledConnection => {
    const redis = createRedis(url, name, reread);
    const answered = <T>(answer: Promise<T>): Promise<T> => answerWithin(answerMs, answer);
    return {
      get status() {
        return redis.status;
      },
      connect: () => redis.connect(),
      disconnect: (redial) => redis.disconnect(redial),
      send: (name, args, replyEncoding) =>
        answered(redis.sendCommand(new Command(name, [...args], { replyEncoding })) as Promise<unknown>),
      subscribe: (...channels) => answered(redis.subscribe(...channels)),
      unsubscribe: (...channels) => answered(redis.unsubscribe(...channels)),
      on: (event: string, listener: (...args: never[]) => void) =>
        redis.on(event, listener as (...args: unknown[]) => void),
      once: (event, listener) => redis.once(event, listener),
      off: (event, listener) => redis.off(event, listener),
    };
  };
}

/**
 * A connection that neither repeats a command nor restores a subscription. With the defaults of ioredis, a script runs
 * twice when its connection is cut before the answer.
 */
function createRedis(url: string, connectionName: string, reread: (url: string) => string): Redis {
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
    retryStrategy: (attempt: number) => {
      const { username, password } = new URL(reread(url));
      if (username) redis.options.username = decodeURIComponent(username);
      if (password) redis.options.password = decodeURIComponent(password);
      return Math.min(100 * attempt, 500) + Math.random() * 100;
    },
  });
  // An `error` event without a listener would end the process. The connection's status tells all that is needed.
  redis.on('error', () => {});
  return redis;
}

/** Drops a connection whose peer may have vanished, and dials again. */
export function reconnect(redis: Connection): void {
  if (redis.status === 'ready' || redis.status === 'connect') redis.disconnect(true);
}

/**
 * Dials if that has not happened yet, and waits for a dial in progress. Resolves also when the dial failed: commands
 * reject then. Rejects with `ClusterUnavailable` when the dial takes too long.
 */
export async function whenDialled(redis: DialledConnection): Promise<void> {
  if (redis.status === 'ready') return;
  if (redis.status === 'wait') redis.connect().catch(() => {});
  if (redis.status !== 'connecting' && redis.status !== 'connect') return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new ClusterUnavailable('Redis is not connected')),
    defaultTimes.answerMs,
  );
  redis.once('ready', resolve);
  redis.once('close', resolve);
  await promise.finally(() => {
    clearTimeout(timer);
    redis.off('ready', resolve);
    redis.off('close', resolve);
  });
}

/** Redis did not answer a command in time. The command may have run. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/**
 * Passes an answer of Redis on, or rejects with `NoAnswer` after `ms`. When the time is over it looks once more after the
 * sockets were read. After a long turn of the event loop a timer fires before that: the time-out of ioredis then gave up
 * commands whose answers were there, and a herd of those made the next turn longer still.
 */
export function answerWithin<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(
    () => setImmediate(reject, new NoAnswer(`Redis did not answer within ${ms} ms`)),
    ms,
  );
  answer.then(
    (value) => {
      clearTimeout(timer);
      resolve(value);
    },
    (cause: Error) => {
      clearTimeout(timer);
      reject(cause);
    },
  );
  // ioredis sends some commands of its own whose result it takes by another way.
  promise.catch(() => {});
  return promise;
}

/** Connections that are remembered by their URL. */
export interface Lines {
  readonly connect: Connect;
  /** Dials all connections to a URL again: its name may lead to another server than when they were made. */
  redial(url: string): void;
}

export function createLines(connect: Connect): Lines {
  const lines = new Map<string, Connection[]>();
  return {
    connect: (url, ...rest) => {
      const line = connect(url, ...rest);
      lines.set(url, [...(lines.get(url) ?? []), line]);
      return line;
    },
    redial: (url) => {
      for (const line of lines.get(url) ?? []) reconnect(line);
    },
  };
}

export interface Script {
  readonly lua: string;
  readonly sha: string;
}

export type ScriptArgument = CommandArgument;

export function defineScript(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}

/**
 * Runs a script at most once. Rejects with `ClusterUnavailable` when the script certainly did not run. After any other
 * rejection it may have run, because only the answer is missing.
 */
export async function runScript<T>(
  redis: Connection,
  script: Script,
  keys: readonly string[],
  args: readonly ScriptArgument[],
  replyEncoding: 'utf8' | null = 'utf8',
): Promise<T> {
  const rest = [keys.length, ...keys, ...args];
  try {
    return await sendCommand<T>(redis, 'evalsha', [script.sha, ...rest], replyEncoding);
  } catch (cause) {
    // Redis did not know the script, so it did not run it. Only in this case is it safe to repeat.
    if (!isReplyError(cause) || !cause.message.startsWith('NOSCRIPT')) throw asUnavailable(cause);
  }
  try {
    return await sendCommand<T>(redis, 'eval', [script.lua, ...rest], replyEncoding);
  } catch (cause) {
    throw asUnavailable(cause);
  }
}

/**
 * Sends one command directly, not in a pipeline of ioredis, which would wait for the answers of earlier commands. The answer
 * comes as bytes where `replyEncoding` is null.
 */
export function sendCommand<T>(
  redis: Connection,
  name: string,
  args: readonly ScriptArgument[],
  replyEncoding: 'utf8' | null = 'utf8',
): Promise<T> {
  if (redis.status !== 'ready') return Promise.reject(new ClusterUnavailable('Redis is not connected'));
  return redis.send(name, args, replyEncoding) as Promise<T>;
}

/** An error reply means that the script had no effect, because every script here writes and publishes last. */
function asUnavailable(cause: unknown): unknown {
  if (isReplyError(cause) || isNotWritten(cause)) {
    return new ClusterUnavailable('Redis refused the command', { cause });
  }
  return cause;
}

function isReplyError(cause: unknown): cause is Error {
  return cause instanceof (ReplyError as typeof Error);
}

function isNotWritten(cause: unknown): boolean {
  return cause instanceof Error && cause.message.startsWith("Stream isn't writeable");
}
