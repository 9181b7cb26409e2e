/** The index of the shard that holds a client, by the FNV-1a hash. Must be the same in every version. */
export function shardIndex(clientId: string, shardCount: number): number {
  if (shardCount === 1) return 0;
  let hash = 0x811c9dc5;
  for (let at = 0; at < clientId.length; at += 1) {
    hash = Math.imul(hash ^ clientId.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % shardCount;
}
