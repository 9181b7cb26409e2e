/** One figure that was promised. */
export interface Verdict {
  what: string;
  /** At most this. */
  target: number;
  measured: number;
  unit: string;
  /** Printed where the target is missed. */
  whyMissed: string;
}

export interface Section {
  title: string;
  /** How to read the table. */
  reading: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  verdicts: readonly Verdict[];
}

export interface Report {
  /** Machine, versions, date. */
  facts: readonly string[];
  warnings: readonly string[];
  sections: readonly Section[];
}

/** A figure within a fifth of its bound is met: machines differ by as much. */
const withinBound = 1.2;

export function isMet({ target, measured }: Verdict): boolean {
  return measured <= target * withinBound;
}

/** The page `docs/benchmarks.md`. */
export function renderReport({ facts, warnings, sections }: Report): string {
  const verdicts = sections.flatMap((section) => section.verdicts);
  return (
    [
      '# Benchmarks',
      introduction,
      facts.map((fact) => `- ${fact}`).join('\n'),
      ...warnings.map((warning) => `> **Warning.** ${warning}`),
      '## Bounds',
      targetsReading,
      verdictTable(verdicts),
      ...sections.map(renderSection),
      '',
    ]
      .join('\n\n')
      .trimEnd() + '\n'
  );
}

function renderSection({ title, reading, columns, rows }: Section): string {
  return [`## ${title}`, reading, table(columns, rows)].join('\n\n');
}

const introduction = [
  'Written by `pnpm bench`, which starts everything it measures on one machine: a real Postgres and Redis, whole',
  'instances with everything on (validation, authentication, limits, metrics, records), worlds on bare sockets, and',
  'the callers. A figure is the median of short rounds that alternate between what is compared, with the least and',
  'the most behind it: what else the machine does hits all of them alike. So trust the ratios of one run; times and',
  'calls per second belong to the machine. Processor time is user and system time of the measured processes alone,',
  'divided by the calls they answered. How fast the pages open on a slow line: [page speed](page-speed.md). What listeners of',
  'events get under load and faults: [streams](streams-soak.md).',
].join('\n');

const targetsReading = [
  'The bounds within which simplicity comes first. A figure within a fifth of its bound is met. Three more are measured elsewhere: answers of',
  '100 KB and 1 MB cost at most 1.8 times what they cost at another commit in the same run (`pnpm bench --against`), a neighbour under each flood keeps',
  'his calls below 100 ms at p99 (`pnpm attack`), and a call in flight at an owner that is killed ends within 2 s (`redis-failover.int.test.ts`).',
].join('\n');

function verdictTable(verdicts: readonly Verdict[]): string {
  return table(
    ['What', 'Bound', 'Measured', 'Met'],
    verdicts.map((verdict) => [
      verdict.what,
      `≤ ${show(verdict.target, verdict.unit)}`,
      show(verdict.measured, verdict.unit),
      isMet(verdict) ? 'yes' : `**no**: ${verdict.whyMissed}`,
    ]),
  );
}

function show(value: number, unit: string): string {
  return `${value.toFixed(value < 100 ? 2 : 0)}${unit}`;
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}
