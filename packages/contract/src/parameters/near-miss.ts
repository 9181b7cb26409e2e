import { lettersOf, withoutBrackets } from './narrows.ts';

/** A shorter name is no misspelling: it is near to too many. */
const shortest = 3;
/** So many letters a name has at most where one edit makes it another; a longer one may differ in two. */
const shortName = 5;
/** No parameter has a name as long, nor does a misspelt one. */
export const longestName = 64;

/** One name of a parameter, and the parameter’s own. */
export interface KnownName {
  letters: string;
  parameter: string;
}

export const knownName = (name: string, parameter: string): KnownName => ({
  letters: lettersOf(name),
  parameter,
});

/**
 * The parameter that a caller may have meant by an unknown name: one that differs in its case, in `_`, `-` and `[]`, and in
 * one letter for names up to five letters, in two for longer ones. Two letters that are swapped are one edit.
 */
export function nearMiss(name: string, known: readonly KnownName[]): string | undefined {
  for (const given of new Set([lettersOf(name), lettersOf(withoutBrackets(name))])) {
    if (given.length < shortest) continue;
    const edits = given.length <= shortName ? 1 : 2;
    const found = known.find(({ letters }) => isWithin(given, letters, edits));
    if (found) return found.parameter;
  }
  return undefined;
}

/** Whether at most so many edits make one text the other: a letter added, left out, replaced, or two swapped. */
function isWithin(a: string, b: string, edits: number): boolean {
  if (Math.abs(a.length - b.length) > edits) return false;
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(isSwap ? Math.min(best, before[j - 2]! + 1) : best);
    }
    [before, last] = [last, row];
  }
  return last[b.length]! <= edits;
}
