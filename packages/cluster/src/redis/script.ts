import { ReplyError } from 'ioredis';
import { createHash } from 'node:crypto';
import { ClusterUnavailable } from '../failures.ts';
import type { CommandArgument, Connection } from './connection.ts';

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
