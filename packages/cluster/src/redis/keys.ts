/** Every key and channel of a shard. The scripts derive `r:live:` and `r:cmd:` from a boot by themselves. */
export const keys = {
  lease: (boot: string): string => `r:live:${boot}`,
  owner: (clientId: string): string => `r:own:${clientId}`,
  commands: (boot: string): string => `r:cmd:${boot}`,
  /** One channel for each call; its asker hears them all through one pattern. */
  replies: (boot: string): string => `r:reply:${boot}:`,
  parked: (boot: string, callId: number): string => `r:parked:${boot}:${callId}`,
  topic: (topic: string): string => `r:all:${topic}`,
  topics: 'r:all:*',
  shardList: 'r:shards',
};
