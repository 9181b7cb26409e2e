import type { DieRoll } from '../../state.ts';
import type { Term } from './formula.ts';
import { parseFormula, printTerms } from './formula.ts';
import type { Random } from './random.ts';

export interface Roll {
  /** For example `2d20kh + 5`. */
  formula: string;
  /** The evaluated terms, for example `14 + 5`. */
  result: string;
  total: number;
  /** Every die that fell, the dropped ones too. */
  dice: readonly DieRoll[];
}

/** Rolls terms from left to right. */
export function rollTerms(terms: readonly Term[], random: Random): Roll {
  const dice: DieRoll[] = [];
  const subtotals = terms.map((term) => {
    if (term.kind === 'number') return term.value;
    const roll = rollDice(term, random);
    dice.push(roll);
    return roll.results.reduce((sum, die) => sum + (die.kept ? die.value : 0), 0);
  });
  return {
    formula: printTerms(terms),
    result: printTerms(terms, (_, index) => String(subtotals[index])),
    total: terms.reduce((sum, term, index) => sum + term.sign * (subtotals[index] ?? 0), 0),
    dice,
  };
}

export function rollFormula(formula: string, random: Random): Roll {
  return rollTerms(parseFormula(formula), random);
}

/** Number of faces that one die shows. */
function rollDie(faces: number, random: Random): number {
  return 1 + Math.floor(random() * faces);
}

function rollDice(term: Term & { kind: 'dice' }, random: Random): DieRoll {
  const results = Array.from({ length: term.count }, () => rollDie(term.faces, random)).flatMap((value) =>
    term.rerollOnes && value === 1
      ? [{ value, rerolled: true }, { value: rollDie(term.faces, random), rerolled: false }]
      : [{ value, rerolled: false }],
  ); // prettier-ignore
  const kept = new Set(keptIndexes(term, results));
  return {
    faces: term.faces,
    results: results.map(({ value }, index) => ({ value, kept: kept.has(index) })),
  };
}

/** Keeps the highest or lowest dice. Where dice are equal, the earlier one is kept. */
function keptIndexes(
  term: Term & { kind: 'dice' },
  results: { value: number; rerolled: boolean }[],
): number[] {
  const standing = [...results.keys()].filter((index) => !results[index]?.rerolled);
  const { keep } = term;
  if (!keep) return standing;
  const direction = keep.which === 'h' ? -1 : 1;
  const value = (index: number) => results[index]?.value ?? 0;
  return standing.toSorted((a, b) => direction * (value(a) - value(b))).slice(0, keep.count);
}
