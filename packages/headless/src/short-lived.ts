import { createConnect, whenDialled } from '@tabletop-relay/cluster/redis/connection';
import { keys } from '@tabletop-relay/cluster/redis/keys';
import { sendCommand } from '@tabletop-relay/cluster/redis/connection';

/** Keeps small texts for a time that is known beforehand, for every process on one store. */
export interface ShortLived {
  /** Replaces what has the name. Rejects when the store is away. */
  put(name: string, text: string, ttlMs: number): Promise<void>;
  /** Puts where nothing has the name; resolves with whether it did: of many who put at once, one does. */
  putNew(name: string, text: string, ttlMs: number): Promise<boolean>;
  read(name: string): Promise<string | undefined>;
  /** Reads and forgets at once: of many who ask, one gets it. */
  take(name: string): Promise<string | undefined>;
  close(): void;
}

/** For one process. Holds at most `maxEntries` and forgets the oldest first. */
export function createMemoryShortLived({
  maxEntries = 10_000,
  now = () => performance.now(),
} = {}): ShortLived {
  const kept = new Map<string, { text: string; until: number }>();

  function find(name: string): string | undefined {
    const entry = kept.get(name);
    return entry && entry.until > now() ? entry.text : undefined;
  }

  function put(name: string, text: string, ttlMs: number): void {
    kept.delete(name);
    if (kept.size >= maxEntries) kept.delete(kept.keys().next().value as string);
    kept.set(name, { text, until: now() + ttlMs });
  }

  return {
    put: (name, text, ttlMs) => Promise.resolve(put(name, text, ttlMs)),
    putNew(name, text, ttlMs) {
      if (find(name) !== undefined) return Promise.resolve(false);
      put(name, text, ttlMs);
      return Promise.resolve(true);
    },
    read: (name) => Promise.resolve(find(name)),
    take(name) {
      const text = find(name);
      kept.delete(name);
      return Promise.resolve(text);
    },
    close: () => kept.clear(),
  };
}

export interface RedisShortLivedOptions {
  url: string;
  /** Answers the URL as it is now. Each dial takes user and password from it, so that they can be rotated. */
  reread?: (url: string) => string;
}

/** In Redis, for all processes. The first use connects; while Redis is away every call rejects. */
export function createRedisShortLived({ url, reread }: RedisShortLivedOptions): ShortLived {
  const redis = createConnect(reread)(url, 'relay-short-lived');
  const send = async <T>(name: string, args: (string | number)[]): Promise<T> => {
    await whenDialled(redis);
    return await sendCommand<T>(redis, name, args);
  };
  return {
    async put(name, text, ttlMs) {
      await send('set', [keys.shortLived(name), text, 'px', ttlMs]);
    },
    putNew: async (name, text, ttlMs) =>
      (await send<string | null>('set', [keys.shortLived(name), text, 'px', ttlMs, 'nx'])) !== null,
    read: async (name) => (await send<string | null>('get', [keys.shortLived(name)])) ?? undefined,
    take: async (name) => (await send<string | null>('getdel', [keys.shortLived(name)])) ?? undefined,
    close: () => redis.disconnect(),
  };
}
