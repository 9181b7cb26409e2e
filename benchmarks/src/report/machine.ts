import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** What the figures were measured on. `date` is when. */
export function describeMachine(date: Date): string[] {
  const [processor] = os.cpus();
  return [
    `Date: ${date.toISOString().slice(0, 10)}`,
    `Machine: ${os.cpus().length} × ${processor?.model.trim() ?? 'unknown'}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.release()}`,
    `Node ${process.versions.node}, V8 ${process.versions.v8}; fastify ${versionOf('fastify')}, ws ${versionOf('ws')}; callers on undici ${versionOf('undici')}`,
    `Commit: ${commit()}`,
  ];
}

const lookMs = 1000;
const tolerableShare = 0.1;

/** What share of the processors others use: to be asked while we ourselves do nothing. */
export async function shareOfOthers(): Promise<number> {
  const before = processorTimes();
  await delay(lookMs);
  const after = processorTimes();
  return (after.busy - before.busy) / (after.total - before.total);
}

function processorTimes(): { busy: number; total: number } {
  const times = os.cpus().map((processor) => processor.times);
  const total = times.reduce(
    (sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq,
    0,
  );
  return { total, busy: total - times.reduce((sum, { idle }) => sum + idle, 0) };
}

/** What others do on this machine spoils times, and ratios a little: said before anybody reads them. */
export function warnOfOthers(share: number, when: string): string[] {
  if (share <= tolerableShare) return [];
  return [
    `The machine was busy with other work ${when}: ${(share * 100).toFixed(0)} % of its processors. Latencies and calls per second are worse than they are; ratios hold less sharply.`,
  ];
}

function versionOf(name: string): string {
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
