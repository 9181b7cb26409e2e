import type { Roll } from './dice.ts';
import { rollTerms } from './dice.ts';
import type { Term } from './formula.ts';
import { numberTerm, parseFormula } from './formula.ts';
import type { Random } from './random.ts';

export interface D20Options {
  /** Left out of the formula where it is absent, as for death saves. */
  modifier?: number | undefined;
  advantage?: boolean | undefined;
  disadvantage?: boolean | undefined;
  /** A formula that is added, for example `1d4` for Bless. */
  bonus?: string | undefined;
  /** Rolls a 1 on the d20 again, once (SRD 5.1, Races: Halfling, Lucky). */
  lucky?: boolean | undefined;
}

export interface D20Roll extends Roll {
  /** The number on the d20 that counts. */
  natural: number;
}

/**
 * Rolls a d20 test. With advantage two dice are rolled and the higher is kept, with disadvantage the lower; where
 * both apply there is neither, however many of each (SRD 5.1, Using Ability Scores: Advantage and Disadvantage).
 */
export function rollD20(options: D20Options, random: Random): D20Roll {
  const { modifier, bonus } = options;
  const roll = rollTerms(
    [
      d20Term(options),
      ...(modifier === undefined ? [] : [numberTerm(modifier)]),
      ...(bonus === undefined ? [] : parseFormula(bonus)),
    ],
    random,
  );
  return { ...roll, natural: roll.dice[0]?.results.find((die) => die.kept)?.value ?? 0 };
}

function d20Term({ advantage, disadvantage, lucky }: D20Options): Term {
  const die = { kind: 'dice', sign: 1, faces: 20, ...(lucky && { rerollOnes: true }) } as const;
  if (Boolean(advantage) === Boolean(disadvantage)) return { ...die, count: 1 };
  return { ...die, count: 2, keep: { which: advantage ? 'h' : 'l', count: 1 } };
}
