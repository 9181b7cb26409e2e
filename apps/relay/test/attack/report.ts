import type { FloodFigures } from './floods/run.ts';
import type { Outcome } from './outcome.ts';
import { promises } from './tally.ts';
import type { PromiseName, Tally } from './tally.ts';

/** What an outcome is measured by. */
export function renderReport(outcome: Outcome): string {
  const { plan, startedAt, undone } = outcome;
  const tallies = Object.entries(outcome.tallies);
  const minutes = (performance.now() - startedAt) / 60_000;
  return [
    `Attack with seed ${plan.seed}, ${minutes.toFixed(1)} of ${plan.minutes} minutes`,
    ...undone.map((what) => `No time was left for ${what}`),
    '',
    ...renderTries(tallies),
    '',
    ...renderFloods(outcome),
    ...renderPromises(tallies),
    ...renderFindings(tallies),
  ].join('\n');
}

/** Also where less was tried than was planned: nothing is known of the rest. */
export const hasBroken = ({ tallies, undone }: Outcome): boolean =>
  undone.length > 0 || Object.values(tallies).some((tally) => tally.findings().length > 0);

type Tallies = readonly [part: string, Tally][];

export function renderTries(tallies: Tallies): string[] {
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
  const head = [
    'flood',
    'sent',
    'neighbour’s calls',
    'p99 ms',
    'p99 ms beside a bare listener',
    'ratio',
    'memory',
  ];
  return [...table([head, ...floods.map(cellsOf)]), ''];
}

/** One flood, as soon as it is over. */
export const renderFlood = (figures: FloodFigures): string => `flood: ${cellsOf(figures).join(', ')}`;

function cellsOf(figures: FloodFigures): string[] {
  const { title, sent, calls, failedCalls, relayP99Ms, bareP99Ms, rssGrowthMb } = figures;
  return [
    title,
    sent.sent.toLocaleString('en'),
    `${calls} (${failedCalls} failed)`,
    relayP99Ms.toFixed(1),
    bareP99Ms?.toFixed(1) ?? '-',
    bareP99Ms ? (relayP99Ms / bareP99Ms).toFixed(2) : '-',
    `${rssGrowthMb} MB`,
  ];
}

function renderPromises(tallies: Tallies): string[] {
  const rows = Object.entries(promises).map(([name, broken]) => [
    name,
    String(tallies.reduce((sum, [, tally]) => sum + tally.count(name as PromiseName), 0)),
    broken,
  ]);
  return table([['broken promises', 'times', 'which is'], ...rows]);
}

export function renderFindings(tallies: Tallies): string[] {
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
