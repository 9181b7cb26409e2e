import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Child, Usage } from './processes/child.ts';
import { load } from './load.ts';
import type { LoadResult, LoadTarget } from './load.ts';
import type { Scale } from './scale.ts';

/** What one call cost while it was measured. */
export interface Cost extends LoadResult {
  /** Microseconds of processor time per call, all watched processes together. */
  cpuUs: number;
  /** Microseconds of Redis per call; undefined where nobody asked, or the system does not tell. */
  redisUs: number | undefined;
}

export interface Measurement {
  targets: readonly LoadTarget[];
  /** The processes whose time counts. */
  watched: readonly Child[];
  /** Where the time of Redis is to be told too. */
  redisPid?: number;
  connections: number;
  seconds: number;
}

/** Calls for so long and reads the processor time that it took. Throws when a call failed. */
export async function measureCost(measurement: Measurement): Promise<Cost> {
  const { targets, watched, redisPid, connections, seconds } = measurement;
  const before = await totalCpuUs(watched);
  const redisBefore = redisPid && processCpuUs(redisPid);
  const result = await load(targets, { connections, seconds });
  const spent = (await totalCpuUs(watched)) - before;
  const redisAfter = redisPid && processCpuUs(redisPid);
  refuseFailures(result);
  return {
    ...result,
    cpuUs: spent / result.requests,
    redisUs:
      redisBefore === undefined || redisAfter === undefined
        ? undefined
        : (redisAfter - redisBefore) / result.requests,
  };
}

const warmUpConnections = 64;

/** Runs what is measured until V8 has compiled it: an instance is as good as new only in its first seconds. */
export async function warmUp(targets: readonly LoadTarget[], { warmUpSeconds }: Scale): Promise<void> {
  refuseFailures(await load(targets, { connections: warmUpConnections, seconds: warmUpSeconds }));
}

/** A benchmark of refusals would be a fast one. */
export function refuseFailures({ failed, failure, requests }: LoadResult): void {
  if (failed > 0 || requests === 0) throw new Error(`${failed} of ${requests} calls failed: ${failure}`);
}

async function totalCpuUs(watched: readonly Child[]): Promise<number> {
  const usages = await Promise.all(watched.map((child) => child.ask<Usage>('usage')));
  return usages.reduce((sum, { cpuUs }) => sum + cpuUs, 0);
}

let tickUs: number | undefined;

/** User and system time of a process that is not ours to ask, from Linux' /proc. */
function processCpuUs(pid: number): number | undefined {
  try {
    tickUs ??= 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ');
    return (Number(fields?.[11]) + Number(fields?.[12])) * tickUs;
  } catch {
    return undefined;
  }
}
