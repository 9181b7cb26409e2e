export * from './cluster.ts';
export * from './failures.ts';
export { createMemoryCluster, type MemoryClusterOptions } from './memory/memory-cluster.ts';
export { createMemoryHub, type MemoryHub } from './memory/memory-hub.ts';
export { createRedisCluster, type RedisClusterOptions } from './redis/redis-cluster.ts';
export type { ClusterLog } from './log.ts';
export * from './streams/streams.ts';
export type { ClusterTimes } from './redis/times.ts';
