import { newBoot, takeName } from '@tabletop-relay/cluster';
import { nameOfHost } from '@tabletop-relay/process';

export interface InstanceName {
  instanceId: string;
  /** Identity of this process. Names are for people. */
  boot: string;
  /** For the log, where the name is not the one that was set. */
  warning?: string;
}

interface NameSettings {
  instanceId?: string | undefined;
  /** Shards; empty where this instance has no Redis. */
  redisUrl: readonly string[];
  reread?: (url: string) => string;
}

/** A Redis that does not answer keeps nobody from a name: the start that follows says so. */
const patienceMs = 10_000;

/**
 * Names this process: by `INSTANCE_ID`, with four letters of the boot where another process still runs under it after five
 * seconds; else by the host and six random letters.
 */
export async function nameInstance({ instanceId, redisUrl, reread }: NameSettings): Promise<InstanceName> {
  const boot = newBoot();
  if (instanceId === undefined) return { boot, instanceId: nameOfHost() };
  const [shard] = redisUrl;
  if (shard === undefined || (await isMine({ shard, instanceId, boot, reread }))) return { boot, instanceId };
  const other = `${instanceId}-${boot.slice(0, 4)}`;
  const warning = `another instance runs as INSTANCE_ID ${instanceId}: this one runs as ${other}. Give each a name of its own, or none`;
  return { boot, instanceId: other, warning };
}

async function isMine(options: Parameters<typeof takeName>[0]): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<true>();
  const timer = setTimeout(() => resolve(true), patienceMs);
  return await Promise.race([takeName(options).catch(() => true), late]).finally(() => clearTimeout(timer));
}
