import { createConnect, defineScript, runScript } from './connection.ts';
import { keys } from './keys.ts';
import { defaultTimes } from './times.ts';

/**
 * Takes the name of an instance, unless the lease of another boot carries it or another start has just taken it. The name is kept
 * for the time that a start needs to its own lease.
 *
 * KEYS 1 the name  2 the instances that WATCH looks at
 * ARGV 1 boot  2 name  3 ttl in ms
 * Answers 1, or 0 where another has it.
 */
const TAKE_NAME = defineScript(`
local taken = redis.call('GET', KEYS[1])
if taken and taken ~= ARGV[1] then return 0 end
for _, boot in ipairs(redis.call('HKEYS', KEYS[2])) do
  local lease = boot ~= ARGV[1] and redis.call('GET', '${keys.lease('')}' .. boot)
  if lease and string.sub(lease, string.find(lease, ' ', 1, true) + 1) == ARGV[2] then return 0 end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return 1
`);

export interface TakeNameOptions {
  /** The first shard: each instance has a lease on all of them. */
  shard: string;
  instanceId: string;
  boot: string;
  reread?: ((url: string) => string) | undefined;
  /** Longer than a lease, so that the name of an instance that was killed is free by then. */
  waitMs?: number;
}

const usualWaitMs = 5_000;
const pauseMs = 250;
/** Who waits for a name must not find it free because a start that took it at the same time is slow. */
const marginMs = 1_000;

/** Whether this boot has the name now. Rejects where Redis does not answer. */
export async function takeName(options: TakeNameOptions): Promise<boolean> {
  const { shard, instanceId, boot, reread, waitMs = usualWaitMs } = options;
  const redis = createConnect(reread)(reread?.(shard) ?? shard, 'admin', defaultTimes);
  const lateAt = performance.now() + waitMs;
  try {
    await redis.connect();
    for (;;) {
      const args = [boot, instanceId, waitMs + marginMs];
      const taken = await runScript<number>(redis, TAKE_NAME, [keys.name(instanceId), keys.instances], args);
      if (taken === 1 || performance.now() > lateAt) return taken === 1;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  } finally {
    redis.disconnect();
  }
}
