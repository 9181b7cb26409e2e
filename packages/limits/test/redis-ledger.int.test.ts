import { startRedis } from '@tabletop-relay/testing';
import { describeLedger } from './conformance.ts';
import { createRedisLedger } from '../src/redis-ledger.ts';

describeLedger('Redis', async () => {
  const redis = await startRedis();
  return { createLedger: (boot) => createRedisLedger({ url: redis.url, boot }), close: () => redis.stop() };
});
