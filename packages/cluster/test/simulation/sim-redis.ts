import type { CommandArgument } from '../../src/redis/connection.ts';
import { keys } from '../../src/redis/keys.ts';
import { ReplyError } from 'ioredis';
import type { SimClock } from './sim-clock.ts';
import { scriptModels } from './sim-scripts.ts';
import type { SimStore } from './sim-store.ts';

type Value = { fields?: Map<string, string>; text?: string | Buffer; expiresAt: number };

/** A connection as the server sees it. */
export interface Session {
  readonly channels: Set<string>;
  push(channel: string, message: Buffer): void;
}

/** A Redis in simulated time. Its commands are atomic. Its data may be lost or fall back to an older state. */
export interface SimRedis {
  readonly sessions: Set<Session>;
  /** Throws a ReplyError where Redis would reply with an error. */
  execute(name: string, args: readonly CommandArgument[], session: Session): unknown;
  isUp: boolean;
  hasLease(boot: string): boolean;
  /** Whether the last owner of a client has left it, and none has come. */
  isLeft(clientId: string): boolean;
  snapshot(): () => void;
  empty(): void;
  /** Offset of the server's wall clock. A failover changes it. */
  skewMs: number;
}

// oxlint-disable-next-line max-lines-per-function -- It answers each command of Redis, a few lines each.
export function createSimRedis(clock: SimClock): SimRedis {
  let data = new Map<string, Value>();
  let scripts = new Set<string>();
  const sessions = new Set<Session>();

  const read = (key: string): Value | undefined => {
    const value = data.get(key);
    if (value && value.expiresAt <= store.nowMs()) data.delete(key);
    return data.get(key);
  };
  const store: SimStore = {
    nowMs: () => 1_700_000_000_000 + clock.now() + redis.skewMs,
    get: (key) => read(key)?.text?.toString(),
    set: (key, text, ms) => data.set(key, { text, expiresAt: store.nowMs() + ms }),
    hash: (key) => read(key)?.fields,
    setHash: (key, fields) => {
      const value = read(key) ?? { fields: new Map<string, string>(), expiresAt: Infinity };
      for (const [name, text] of Object.entries(fields)) value.fields?.set(name, text);
      data.set(key, value);
    },
    delField: (key, field) => void read(key)?.fields?.delete(field),
    expire: (key, ms) => {
      const value = read(key);
      if (value) value.expiresAt = store.nowMs() + ms;
    },
    ttlMs: (key) => (read(key)?.expiresAt ?? 0) - store.nowMs(),
    del: (key) => Number(data.delete(key)),
    publish: (channel, message) => {
      let heard = 0;
      for (const session of sessions) {
        if (!session.channels.has(channel)) continue;
        session.push(channel, message);
        heard++;
      }
      return heard;
    },
    listeners: (channel) => [...sessions].filter((session) => session.channels.has(channel)).length,
  };

  const runScript = (name: string, args: (string | Buffer)[]): unknown => {
    const script = scriptModels.find(({ sha, lua }) => args[0] === (name === 'evalsha' ? sha : lua));
    if (!script || (name === 'evalsha' && !scripts.has(script.sha))) throw replyError('NOSCRIPT');
    scripts.add(script.sha);
    const count = Number(args[1]);
    return script.run(store, args.slice(2, 2 + count).map(String), args.slice(2 + count));
  };

  const redis: SimRedis = {
    sessions,
    isUp: true,
    skewMs: 0,
    execute: (name, given, session) => {
      const args = given.map((arg) => (typeof arg === 'number' ? String(arg) : arg));
      const [first = '', second = ''] = args.map(String);
      switch (name) {
        case 'evalsha':
        case 'eval':
          return runScript(name, args);
        case 'publish':
          return store.publish(first, Buffer.from(args[1] ?? ''));
        case 'subscribe':
          return args.forEach((channel) => session.channels.add(String(channel)));
        case 'hmget':
          return args.slice(1).map((field) => store.hash(first)?.get(String(field)) ?? null);
        case 'hdel':
          return args.slice(1).forEach((field) => store.delField(first, String(field)));
        case 'set':
          return data.set(first, { text: args[1] ?? '', expiresAt: store.nowMs() + Number(args[3]) * 1_000 });
        case 'getdel': {
          const body = read(first)?.text;
          data.delete(first);
          return body === undefined ? null : Buffer.from(body);
        }
        default:
          throw replyError(`ERR unknown command ${name} ${second}`);
      }
    },
    hasLease: (boot) => store.get(keys.lease(boot)) !== undefined,
    isLeft: (clientId) => store.hash(keys.owner(clientId))?.has('moving') === true,
    snapshot: () => {
      const copy = structuredCloneOf(data);
      return () => void (data = structuredCloneOf(copy));
    },
    empty: () => {
      data = new Map();
      scripts = new Set();
    },
  };
  return redis;
}

function structuredCloneOf(data: Map<string, Value>): Map<string, Value> {
  return new Map(
    [...data].map(([key, value]) => [
      key,
      { ...value, ...(value.fields && { fields: new Map(value.fields) }) },
    ]),
  );
}

function replyError(message: string): Error {
  return new (ReplyError as new (message: string) => Error)(message);
}
