/**
 * Every key and channel that the relay uses in Redis. The Lua scripts are built from these names too.
 *
 * Keys of a cluster's shard, then those of the Redis that counts limits. Both may be the same server.
 */
export const keys = {
  /** An instance's lease, by its boot id. Expires when the instance no longer renews it. */
  lease: (boot: string): string => `r:live:${boot}`,
  /** The claim on a client: a hash that names its owner. */
  owner: (clientId: string): string => `r:own:${clientId}`,
  /** Who waits for a client: a hash by conn. */
  waiting: (clientId: string): string => `r:wait:${clientId}`,
  /** Channel of the commands for one instance. */
  commands: (boot: string): string => `r:cmd:${boot}`,
  /** A reply channel of one instance. Lent to one call at a time. */
  reply: (boot: string, slot: number): string => `r:reply:${boot}:${slot}`,
  /** The chunks of large replies to one instance. Each channel is lent to one reply at a time. */
  bulk: (boot: string, channel: number): string => `r:bulk:${boot}:${channel}`,
  /** A command too large to be published, until its owner fetches it. */
  command: (asker: string, callId: number): string => `r:command:${asker}:${callId}`,
  /** Where a stream stands: a hash. Outlives the stream's entries. */
  streamHead: (channel: string, clientId: string): string => `r:hm:${channel}:${clientId}`,
  /** The entries of a stream, by their number. */
  stream: (channel: string, clientId: string): string => `r:entries:${channel}:${clientId}`,
  /** Channel of what is appended to a stream. */
  streamNews: (channel: string, clientId: string): string => `r:ev:${channel}:${clientId}`,
  /** How many listen to a stream: a hash by the boot ids of their instances. */
  streamListeners: (channel: string, clientId: string): string => `r:ears:${channel}:${clientId}`,
  /** The seats that are taken in a hall, by the time at which they become free. */
  seats: (hall: string): string => `r:seats:${hall}`,
  /** A ticket, by its digest. */
  ticket: (id: string): string => `r:ticket:${id}`,
  /** What was reserved in a group: a hash by name. */
  reservations: (group: string): string => `r:once:${group}`,
  /** The names of these reservations, by the times at which they lapse. */
  reservationTimes: (group: string): string => `r:once-until:${group}`,
  /** Channel of the messages to all instances. */
  broadcast: 'r:all',
  /** The instances on a shard: a hash of what the last look found of each, by boot id. `WATCH` keeps it. */
  instances: 'r:instances',
  /** The boot id of the instance that starts under a name. */
  name: (instanceId: string): string => `r:name:${instanceId}`,
  /** Fingerprint of the shard list that the running instances agree on. */
  shardList: 'r:shards',
  /** Stands while the instances make their claims again in a Redis that was emptied. */
  asserting: 'r:asserting',
  /** The random id of this Redis, by which instances know that they are on the same one. */
  id: 'r:id',

  /** Reservations of all instances on one quota: a hash. */
  quota: (quota: string): string => `r:limit:${quota}`,
  /** The instances that share the quotas: a sorted set by the time of their last heartbeat. */
  quotaInstances: 'r:quota-instances',
  /** Changes with each change of the set of these instances. */
  quotaMembership: 'r:quota-membership',
  /** A count that every instance increments directly. */
  hits: (key: string): string => `r:hits:${key}`,

  /** A small text that expires: the state of a handshake and a headless session's cookies, sealed; when a module was downloaded. */
  shortLived: (name: string): string => `r:short:${name}`,
};

/** The index of the shard that holds a client, by the FNV-1a hash. Must be the same in every version. */
export function shardIndex(clientId: string, shardCount: number): number {
  if (shardCount === 1) return 0;
  let hash = 0x811c9dc5;
  for (let at = 0; at < clientId.length; at += 1) {
    hash = Math.imul(hash ^ clientId.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % shardCount;
}
