import { readRedisIds, servesThere } from '@tabletop-relay/cluster';
import { connectDatabase } from '@tabletop-relay/database';
import { readInstances } from '../instances/read-instances.ts';
import type { RunningInstance } from '../instances/read-instances.ts';
import { ok, problem } from './finding.ts';
import type { Finding } from './finding.ts';

const check = 'same Redis';
const cure =
  'Give all instances the same REDIS_URL; to change it on purpose, docs/operations/stores.md#change-redis.';

/** Compares the Redis of these settings with those of the instances that run. A store that is away is told elsewhere. */
export async function checkIdentity(databaseUrl: string, shards: readonly string[]): Promise<Finding[]> {
  const db = connectDatabase({ url: databaseUrl, poolSize: 1, log: { warn: () => {} } });
  try {
    const [ids, running] = await Promise.all([readRedisIds(shards), readInstances(db)]);
    return judgeIdentity(ids, running);
  } catch {
    return [];
  } finally {
    await db.destroy();
  }
}

interface Found {
  place: string;
  /** Undefined where there is none. */
  id: string | undefined;
}

/** `mine`: what was found on each shard of these settings. */
function judgeIdentity(mine: readonly Found[], running: readonly RunningInstance[]): Finding[] {
  const reports = running.flatMap(({ instanceId, redis }) => (redis ? [{ instanceId, redis }] : []));
  if (reports.length === 0) return [];
  const findings = reports.flatMap(({ instanceId, redis }) => {
    const theirs = Object.entries(redis);
    if (mine.length === 0 || theirs.length === 0) {
      if (mine.length === theirs.length) return [];
      const who = mine.length === 0 ? 'is set on it and not here' : 'is set here and not on it';
      return [problem(check, `${instanceId}: REDIS_URL ${who}`, cure)];
    }
    return theirs.flatMap(([index, reading]) => {
      const { id, place } = reading;
      if (!servesThere(reading)) {
        return [
          problem(check, `${instanceId} has come to another Redis (${place}) and serves nothing`, cure),
        ];
      }
      const here = mine[Number(index)];
      if (here === undefined || here.id === id) return [];
      const what = here.id === undefined ? 'is empty, and not' : 'is another Redis than';
      return [problem(check, `${here.place} ${what} that of ${instanceId} (${place})`, cure)];
    });
  });
  return findings.length > 0 ? findings : [ok(check, 'is that of all instances')];
}
