import { Refusal } from '../../refusal.ts';

/** One part of a formula: a number, or dice of which the highest or the lowest may be kept. */
export type Term = { sign: 1 | -1 } & (
  | { kind: 'number'; value: number }
  | {
      kind: 'dice';
      count: number;
      faces: number;
      keep?: { which: 'h' | 'l'; count: number };
      /** Each 1 is rolled again, once. */
      rerollOnes?: boolean;
    }
);

const termPattern = /\s*([+-]?)\s*(?:(\d{0,3})d(\d{1,4})(r1)?(?:([kd])([hl])(\d{0,3}))?|(\d{1,6}))\s*/giy;
const limits = { terms: 16, dice: 100, faces: 1000 };

/**
 * Reads a formula such as `1d4 + 2`, `-1`, `2d20kh` (keep highest), `4d6dl1` (drop lowest) or `1d20r1` (roll a 1
 * again). Refuses what it cannot read, more than 16 terms, 100 dice or 1000 faces.
 */
export function parseFormula(text: string): Term[] {
  const terms: Term[] = [];
  let end = 0;
  for (const match of text.matchAll(termPattern)) {
    if (terms.length > 0 && match[1] === '') throw invalid(text);
    terms.push(readTerm(match, text));
    end = match.index + match[0].length;
  }
  const dice = terms.reduce((sum, term) => sum + (term.kind === 'dice' ? term.count : 0), 0);
  if (end !== text.length || terms.length === 0) throw invalid(text);
  if (terms.length > limits.terms || dice > limits.dice) throw invalid(text);
  return terms;
}

/** Writes terms the way chat shows them, for example `1d20 + 5 - 1d4`. */
export function printTerms(terms: readonly Term[], print: (term: Term, index: number) => string = printTerm) {
  return terms
    .map((term, index) => {
      const operator = index === 0 ? (term.sign < 0 ? '-' : '') : term.sign < 0 ? ' - ' : ' + ';
      return operator + print(term, index);
    })
    .join('');
}

/** A number as a term; for a modifier that a formula ends with. */
export function numberTerm(value: number): Term {
  return { kind: 'number', sign: value < 0 ? -1 : 1, value: Math.abs(value) };
}

function printTerm(term: Term): string {
  if (term.kind === 'number') return String(term.value);
  const kept = term.keep ? `k${term.keep.which}${term.keep.count === 1 ? '' : term.keep.count}` : '';
  return `${term.count}d${term.faces}${term.rerollOnes ? 'r1' : ''}${kept}`;
}

function readTerm(match: RegExpMatchArray, text: string): Term {
  const [, operator, count, faces, reroll, action, which, amount, number] = match;
  const sign = operator === '-' ? -1 : 1;
  if (number !== undefined) return { kind: 'number', sign, value: Number(number) };
  const dice = { kind: 'dice', sign, count: count ? Number(count) : 1, faces: Number(faces) } as const;
  if (dice.count < 1 || dice.faces < 1 || dice.faces > limits.faces) throw invalid(text);
  const rerolled = reroll ? { ...dice, rerollOnes: true } : dice;
  if (!action) return rerolled;
  return {
    ...rerolled,
    keep: readKeep(action, which as string, amount ? Number(amount) : 1, dice.count, text),
  };
}

function readKeep(action: string, which: string, amount: number, count: number, text: string) {
  const side = which.toLowerCase() as 'h' | 'l';
  const drops = action.toLowerCase() === 'd';
  const kept = drops ? count - amount : amount;
  if (kept < 1 || kept > count) throw invalid(text);
  return { which: drops ? (side === 'h' ? 'l' : 'h') : side, count: kept } as const;
}

function invalid(text: string): Refusal {
  return new Refusal('invalid_formula', `"${text}" is not a dice formula that this world can roll`);
}
