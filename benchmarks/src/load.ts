import { build } from 'hdr-histogram-js';
import { Client, Pool } from 'undici';
import type { Dispatcher } from 'undici';

export interface LoadTarget {
  origin: string;
  path: string;
  headers?: Record<string, string>;
  body: string;
}

export interface LoadResult {
  requests: number;
  /** Answers with another status than 200. */
  failed: number;
  /** The first of them. */
  failure: string | undefined;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Calls over so many connections, one at a time on each, as fast as answers come; the targets are spread over them. */
export async function load(
  targets: readonly LoadTarget[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<LoadResult> {
  const record = createRecord();
  const endsAt = performance.now() + seconds * 1000;
  const run = async (_: unknown, index: number): Promise<void> => {
    const target = targets[index % targets.length] as LoadTarget;
    const client = new Client(target.origin, { pipelining: 1 });
    while (performance.now() < endsAt) await record.call(client, target);
    await client.destroy();
  };
  await Promise.all(Array.from({ length: connections }, run));
  return record.result();
}

/**
 * Sends calls when they are due, whether the earlier ones were answered or not: what waits is not hidden. They
 * are sent by a timer of a millisecond, so a fast pace comes in small bursts.
 */
export async function pacedLoad(
  targets: readonly LoadTarget[],
  {
    perSecond,
    until,
    connections = 32,
  }: { perSecond: number; until: Promise<unknown>; connections?: number },
): Promise<LoadResult> {
  const record = createRecord();
  const pools = new Map(
    targets.map(({ origin }) => [origin, new Pool(origin, { connections, pipelining: 1 })]),
  );
  const calls: Promise<void>[] = [];
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    while (calls.length < due) {
      const target = targets[calls.length % targets.length] as LoadTarget;
      calls.push(record.call(pools.get(target.origin) as Pool, target));
    }
  }, 1);
  await until;
  clearInterval(timer);
  await Promise.all(calls);
  await Promise.all([...pools.values()].map((pool) => pool.destroy()));
  return record.result();
}

function createRecord() {
  const histogram = build({ highestTrackableValue: 120_000_000, numberOfSignificantValueDigits: 3 });
  const startedAt = performance.now();
  let failed = 0;
  let failure: string | undefined;
  return {
    async call(client: Dispatcher, target: LoadTarget): Promise<void> {
      const from = performance.now();
      const { statusCode, body } = await client.request({
        method: 'POST',
        path: target.path,
        headers: { 'content-type': 'application/json', ...target.headers },
        body: target.body,
      });
      if (statusCode === 200) await body.dump({ limit: Number.MAX_SAFE_INTEGER });
      else if (failed++ === 0) failure = `${statusCode} ${await body.text()}`;
      else await body.dump();
      histogram.recordValue(Math.max(1, Math.round((performance.now() - from) * 1000)));
    },
    result(): LoadResult {
      return {
        requests: histogram.totalCount,
        failed,
        failure,
        perSecond: histogram.totalCount / ((performance.now() - startedAt) / 1000),
        p50Ms: histogram.getValueAtPercentile(50) / 1000,
        p99Ms: histogram.getValueAtPercentile(99) / 1000,
      };
    },
  };
}
