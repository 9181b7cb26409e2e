import { Redis } from 'ioredis';

/** Everything that a Redis holds, as text: for tests of what must not be in it. */
export async function readRedis(url: string): Promise<string> {
  const redis = new Redis(url);
  try {
    const texts: string[] = [];
    for (const key of await redis.keys('*')) texts.push(key, JSON.stringify(await readKey(redis, key)));
    return texts.join('\n');
  } finally {
    redis.disconnect();
  }
}

async function readKey(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === 'string') return await redis.get(key);
  if (type === 'hash') return await redis.hgetall(key);
  if (type === 'list') return await redis.lrange(key, 0, -1);
  if (type === 'set') return await redis.smembers(key);
  if (type === 'zset') return await redis.zrange(key, 0, '-1');
  if (type === 'stream') return await redis.xrange(key, '-', '+');
  // It was gone before it was read.
  if (type === 'none') return '';
  throw new Error(`${key} is of the type ${type}, which is not read`);
}
