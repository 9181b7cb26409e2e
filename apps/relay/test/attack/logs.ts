import { anyOf } from './marks.ts';
import type { Tally } from './tally.ts';

/** Judges log lines: no warning, no error, and none of `secrets` in them. Resumable line by line. */
export function createLogJudge(tally: Tally, secrets: Record<string, string>): (line: string) => void {
  const names = new Map(Object.entries(secrets).map(([name, value]) => [value, name]));
  const any = anyOf(names.keys());
  return function judge(line) {
    const [hit] = line.match(any) ?? [];
    if (hit) tally.found('secret in log', names.get(hit) ?? '?', line);
    const level = Number(/"level":(\d+)/.exec(line)?.[1]);
    if (level >= 40) tally.found('complaint', /"msg":"([^"]*)"/.exec(line)?.[1] ?? '?', line);
  };
}
