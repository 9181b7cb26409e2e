import type { Outcome } from './messages.ts';
import { findUnexplained } from './reasons.ts';
import type { Reason } from './reasons.ts';

export interface GroupResult {
  name: string;
  outcomes: Outcome[];
  /** How many mutants the tests of the group reach. */
  planned: number;
  /** It ended before its time with an error. */
  hasFailed: boolean;
}

const killedBy = ['Killed', 'Timeout', 'RuntimeError'];
const decided = [...killedBy, 'Survived'];

const columns = [
  'tried',
  'killed',
  'of these by time-out',
  'survived',
  'of these without a reason',
  'not chosen or not reached in time',
  'covered by no test here',
  'left out',
];

/** One row for each group, and their sum. */
export function renderReport(results: readonly GroupResult[], reasons: readonly Reason[]): string {
  const rows = results.map((result) => [result.name, ...countsOf(result, reasons)] as const);
  const sums = columns.map((_, index) => rows.reduce((sum, row) => sum + Number(row[index + 1]), 0));
  const all = rows.length > 1 ? [...rows, ['all', ...sums]] : rows;
  return [['group', ...columns], ...all].map((row) => row.join(' | ')).join('\n');
}

/** How many mutants a test decided about. */
export const countTried = ({ outcomes }: GroupResult): number =>
  outcomes.filter(({ status }) => decided.includes(status)).length;

function countsOf({ outcomes, planned }: GroupResult, reasons: readonly Reason[]): number[] {
  const count = (...statuses: string[]) => outcomes.filter(({ status }) => statuses.includes(status)).length;
  const killed = count(...killedBy);
  const survived = count('Survived');
  return [
    killed + survived,
    killed,
    count('Timeout'),
    survived,
    findUnexplained(outcomes, reasons).length,
    Math.max(0, planned - killed - survived),
    count('NoCoverage'),
    count('Ignored'),
  ];
}
