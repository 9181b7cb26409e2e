import { readdirSync, readFileSync } from 'node:fs';

/** What the processes of one browser take together. */
export interface Usage {
  /** What they keep in memory for themselves and share among each other; not the files that all browsers share. */
  bytes: number;
  threads: number;
}

/** By the pid of the browser that leads them: Chromium’s processes never leave the session that it was started in. Linux alone tells. */
export function readUsage(leaders: ReadonlySet<number>, proc = '/proc'): Map<number, Usage> {
  const usage = new Map<number, Usage>();
  for (const pid of readdirSync(proc)) {
    if (!/^\d+$/.test(pid)) continue;
    const leader = leaderOf(`${proc}/${pid}`);
    if (!leaders.has(leader)) continue;
    const status = read(`${proc}/${pid}/status`);
    const { bytes, threads } = usage.get(leader) ?? { bytes: 0, threads: 0 };
    usage.set(leader, {
      bytes: bytes + (field(status, 'RssAnon') + field(status, 'RssShmem')) * 1024,
      threads: threads + field(status, 'Threads'),
    });
  }
  return usage;
}

/** The sixth field of `stat`; the second is a name in brackets that may hold anything. */
function leaderOf(folder: string): number {
  const stat = read(`${folder}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ', 4)[3]);
}

const field = (status: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);

/** Empty for a process that has ended since. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
