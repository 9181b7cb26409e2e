import { startRedis } from '@tabletop-relay/testing';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';

/** The address of a Redis with those settings, once it has run the command. */
export async function redisWith(settings: Record<string, string>, command?: string[]): Promise<string> {
  const redis = await startRedis(settings);
  onTestFinished(() => redis.stop());
  if (command) {
    const admin = new Redis(redis.url);
    await admin.call(command[0] ?? '', ...command.slice(1));
    admin.disconnect();
  }
  return redis.url;
}
