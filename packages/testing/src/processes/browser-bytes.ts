import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Memory of all processes of the Chromium that a process has started, pages that they share counted once; Linux alone tells. */
export function browserBytes(parent = process.pid): number {
  const lines = execFileSync('ps', ['-eo', 'pid,ppid,comm', '--no-headers']).toString().trim().split('\n');
  const processes = lines.map((line) => line.trim().split(/\s+/));
  const own = new Set([String(parent)]);
  for (let before = 0; before !== own.size;) {
    before = own.size;
    for (const [pid = '', ppid = '', comm = ''] of processes)
      if (own.has(ppid) && /chrom/.test(comm)) own.add(pid);
  }
  own.delete(String(parent));
  return [...own].reduce((sum, pid) => sum + proportionalBytes(pid), 0);
}

/** Zero for a process that has ended since. */
function proportionalBytes(pid: string): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss: +(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
