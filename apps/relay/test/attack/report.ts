import type { Outcome } from './attack-all.ts';
import { promises } from './tally.ts';
import type { PromiseName, Tally } from './tally.ts';

/** What an outcome is measured by. */
export function renderReport(outcome: Outcome): string {
  const { plan, seconds } = outcome;
  const tallies = Object.entries(outcome.tallies);
  return [
    `Attack with seed ${plan.seed}, ${(seconds / 60).toFixed(1)} minutes`,
    '',
    ...renderCounts(tallies),
    '',
    ...renderFloods(outcome),
    ...renderPromises(tallies),
    ...renderFindings(tallies),
  ].join('\n');
}

export const hasBroken = ({ tallies }: Outcome): boolean =>
  Object.values(tallies).some((tally) => tally.findings().length > 0);

type Tallies = readonly [part: string, Tally][];

function renderCounts(tallies: Tallies): string[] {
  const rows = tallies.map(([part, { tries, pastLimits, byStatus }]) => [
    part,
    tries.toLocaleString('en'),
    pastLimits.toLocaleString('en'),
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status || 'cut'}: ${count}`)
      .join(' '),
  ]);
  const sum = (of: 'tries' | 'pastLimits') =>
    tallies.reduce((total, [, tally]) => total + tally[of], 0).toLocaleString('en');
  return table([
    ['part', 'tries', 'past the limits', 'by status'],
    ...rows,
    ['all', sum('tries'), sum('pastLimits'), ''],
  ]);
}

function renderFloods({ floods }: Outcome): string[] {
  if (floods.length === 0) return [];
  const ms = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(1));
  const rows = floods.map(({ title, sent, calls, failedCalls, relayP99Ms, bareP99Ms, rssGrowthMb }) => [
    title,
    sent.sent.toLocaleString('en'),
    `${calls} (${failedCalls} failed)`,
    ms(relayP99Ms),
    ms(bareP99Ms),
    bareP99Ms ? (relayP99Ms / bareP99Ms).toFixed(2) : '-',
    `${rssGrowthMb} MB`,
  ]);
  const head = [
    'flood',
    'sent',
    'neighbour’s calls',
    'p99 ms',
    'p99 ms beside a bare listener',
    'ratio',
    'memory',
  ];
  return [...table([head, ...rows]), ''];
}

function renderPromises(tallies: Tallies): string[] {
  const rows = Object.entries(promises).map(([name, broken]) => [
    name,
    String(tallies.reduce((sum, [, tally]) => sum + tally.count(name as PromiseName), 0)),
    broken,
  ]);
  return table([['broken promises', 'times', 'which is'], ...rows]);
}

function renderFindings(tallies: Tallies): string[] {
  const all = tallies.flatMap(([part, tally]) => tally.findings().map((finding) => ({ part, ...finding })));
  if (all.length === 0) return ['', 'Every promise held.'];
  return all.flatMap(({ part, promise, what, example, count }) => [
    '',
    `${part}: ${promise}: ${what} (${count} times)`,
    ...(example ? [`  ${example}`] : []),
  ]);
}

function table(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
