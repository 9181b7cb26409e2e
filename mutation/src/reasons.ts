import { readFileSync } from 'node:fs';
import type { Outcome } from './messages.ts';

/** Why no test need see a mutant. It is found again by its file and its text, not by a number that moves. */
export interface Reason {
  /** The end of its path: a file that moves to another folder keeps its reasons. */
  file: string;
  /** The line on which the mutant begins, without the space around it. */
  line: string;
  /** What stands there in its place; absent: whatever a mutant makes of this line. */
  replacement?: string;
  reason: string;
}

const page = new URL('../../docs/surviving-mutants.json', import.meta.url);

export function readReasons(): Reason[] {
  return JSON.parse(readFileSync(page, 'utf8')) as Reason[];
}

/** Survivors that no reason names. */
export function findUnexplained(
  outcomes: readonly Outcome[],
  reasons: readonly Reason[],
): { at: string; from: string; to: string }[] {
  return outcomes
    .filter((outcome) => outcome.status === 'Survived' && !reasons.some((reason) => isNamed(outcome, reason)))
    .map(({ file, start, mutator, replacement, ...rest }) => ({
      at: `${file}:${start.line}:${start.column} ${mutator}`,
      from: textAt({ file, start, end: rest.end }),
      to: replacement,
    }));
}

/** Reasons for mutants that were tried and did not survive. */
export function findStale(outcomes: readonly Outcome[], reasons: readonly Reason[]): Reason[] {
  return reasons.filter((reason) => {
    const named = outcomes
      .filter(({ status }) => isTried(status))
      .filter((outcome) => isNamed(outcome, reason));
    return named.length > 0 && named.every(({ status }) => status !== 'Survived');
  });
}

const isTried = (status: string): boolean => status !== 'NoCoverage' && status !== 'Ignored';

function isNamed({ file, start, replacement }: Outcome, reason: Reason): boolean {
  if (!`/${file}`.endsWith(`/${reason.file}`) || linesOf(file)[start.line - 1]?.trim() !== reason.line)
    return false;
  return reason.replacement === undefined || reason.replacement === replacement;
}

export function linesOf(file: string): string[] {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n');
}

/** What stands at a place. */
export function textAt({ file, start, end }: Pick<Outcome, 'file' | 'start' | 'end'>): string {
  const lines = linesOf(file).slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join('\n');
}
