/** One figure that was promised. */
export interface Verdict {
  what: string;
  /** At most this. */
  target: number;
  measured: number;
  unit: string;
  /** The figure of the code that the target was set for, with its unit. It was measured on another machine. */
  before?: string | undefined;
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

export function isMet({ target, measured }: Verdict): boolean {
  return measured <= target;
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
      '## Targets',
      targetsReading,
      verdictTable(verdicts),
      ...sections.map(renderSection),
      '',
    ]
      .join('\n\n')
      .trimEnd() + '\n'
  );
}

export function renderSection({ title, reading, columns, rows }: Section): string {
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
  '“Before” is the figure that made somebody set the target. It is of the code and the machine of that day, so',
  'compare its ratios. It is empty where nobody had measured it.',
].join('\n');

function verdictTable(verdicts: readonly Verdict[]): string {
  return table(
    ['What', 'Before', 'Target', 'Measured', 'Met'],
    verdicts.map((verdict) => [
      verdict.what,
      verdict.before ?? '',
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
