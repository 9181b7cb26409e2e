import { createConnect, whenDialled } from '@tabletop-relay/cluster/redis/connection';
import { keys } from '@tabletop-relay/cluster/redis/keys';
import { sendCommand } from '@tabletop-relay/cluster/redis/script';
import type { ShortLived } from './short-lived.ts';

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
    read: async (name) => (await send<string | null>('get', [keys.shortLived(name)])) ?? undefined,
    take: async (name) => (await send<string | null>('getdel', [keys.shortLived(name)])) ?? undefined,
    close: () => redis.disconnect(),
  };
}
