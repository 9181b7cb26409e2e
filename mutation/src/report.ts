import type { Outcome } from './messages.ts';

export interface GroupResult {
  name: string;
  outcomes: Outcome[];
  /** How many mutants the tests reach, and so were to be tried. */
  planned: number;
  /** It ended before its time with an error. */
  hasFailed: boolean;
}

const columns = ['tried', 'killed', 'survived', 'not reached in time', 'covered by no test here', 'left out'];

/** One row for each group, and their sum. */
export function renderReport(results: readonly GroupResult[]): string {
  const rows = results.map((result) => [result.name, ...countsOf(result)] as const);
  const sums = columns.map((_, index) => rows.reduce((sum, row) => sum + Number(row[index + 1]), 0));
  const all = rows.length > 1 ? [...rows, ['all', ...sums]] : rows;
  return [['group', ...columns], ...all].map((row) => row.join(' | ')).join('\n');
}

function countsOf({ outcomes, planned }: GroupResult): number[] {
  const count = (...statuses: string[]) => outcomes.filter(({ status }) => statuses.includes(status)).length;
  const killed = count('Killed', 'Timeout', 'RuntimeError');
  const survived = count('Survived');
  return [
    killed + survived,
    killed,
    survived,
    Math.max(0, planned - killed - survived - count('NoCoverage')),
    count('NoCoverage'),
    count('Ignored'),
  ];
}
