import type * as library from '@dice-roller/rpg-dice-roller';
import { Refusal } from '../../refusal.ts';
import type { DieRoll } from '../../state.ts';
import type { Roll } from './dice.ts';
import type { Random } from './random.ts';

const limits = { dice: 100, faces: 1000, explodingDice: 10, rolled: 500 };

let loaded: typeof library | undefined;

/** Loads the library that `rollNotation` needs. It is large, so a world loads it with its first roll. */
export async function loadNotation(): Promise<void> {
  loaded ??= await import('@dice-roller/rpg-dice-roller');
}

/**
 * Rolls a formula with all that tabletops know: pools, exploding dice, functions, brackets. Refuses what cannot be
 * read, more than 100 dice, dice of more than 1000 faces, and more than 10 dice that may be rolled again and again.
 */
export function rollNotation(formula: string, random: Random): Roll {
  if (!loaded) throw new Error('loadNotation must be awaited first');
  const { DiceRoll, NumberGenerator, Parser } = loaded;
  // The library has one generator for all. Nothing waits between here and the roll.
  NumberGenerator.generator.engine = { next: () => Math.floor(random() * 2 ** 32) | 0 };
  try {
    const notation = translate(formula);
    const expressions: unknown[] = Parser.parse(notation);
    assertBounded(expressions.flatMap(diceIn), formula);
    const roll = new DiceRoll(notation);
    const dice = fallenDice(expressions, roll.rolls);
    const rolled = dice.reduce((sum, { results }) => sum + results.length, 0);
    if (!Number.isFinite(roll.total) || rolled > limits.rolled) throw invalid(formula);
    return {
      formula,
      result: roll.output.slice(roll.output.indexOf(': ') + 2, roll.output.lastIndexOf(' = ')),
      total: roll.total,
      dice,
    };
  } catch (error) {
    throw error instanceof Refusal ? error : invalid(formula);
  }
}

/** From the notation of tabletops to that of the library, where the two differ. */
function translate(formula: string): string {
  return formula
    .replace(/(k[hl]?|d[hl])(?![\dhl])/gi, (keep) => `${keep}1`)
    .replace(/\b(\d*d\d+)x(\d+)/gi, '$1!=$2')
    .replace(/\b(\d*d\d+)x/gi, '$1!')
    .replace(/(r|ro)(\d)/gi, '$1=$2');
}

interface Dice {
  qty: number;
  sides: number | string;
  max: number;
  modifiers: Map<string, unknown>;
}

interface Group {
  expressions: unknown[][];
}

const isDice = (part: unknown): part is Dice => typeof part === 'object' && part !== null && 'qty' in part;
const isGroup = (part: unknown): part is Group =>
  typeof part === 'object' && part !== null && 'expressions' in part;

function diceIn(part: unknown): Dice[] {
  if (Array.isArray(part)) return part.flatMap(diceIn);
  if (isGroup(part)) return diceIn(part.expressions);
  return isDice(part) ? [part] : [];
}

function assertBounded(dice: readonly Dice[], formula: string): void {
  const all = dice.reduce((sum, { qty }) => sum + qty, 0);
  const again = dice
    .filter(({ modifiers }) => modifiers.has('explode') || modifiers.has('re-roll'))
    .reduce((sum, { qty }) => sum + qty, 0);
  const faces = Math.max(0, ...dice.map(({ max }) => max));
  if (all > limits.dice || again > limits.explodingDice || faces > limits.faces) throw invalid(formula);
}

interface Die {
  value: number;
  useInTotal: boolean;
}

interface Results {
  rolls?: Die[];
  results?: Results[];
  useInTotal?: boolean;
}

/** The dice that fell, in the order of the formula; those of a dropped part of a group do not count. */
function fallenDice(
  expressions: readonly unknown[],
  results: readonly unknown[] = [],
  isKept = true,
): DieRoll[] {
  return expressions.flatMap((part, index) => {
    const result = results[index] as Results | undefined;
    if (isDice(part) && result?.rolls) {
      const fallen = result.rolls.map(({ value, useInTotal }) => ({ value, kept: isKept && useInTotal }));
      return [{ faces: part.max, results: fallen }];
    }
    if (!isGroup(part) || !result?.results) return [];
    return part.expressions.flatMap((inner, place) => {
      const one = result.results?.[place];
      return fallenDice(inner, one?.results, isKept && one?.useInTotal !== false);
    });
  });
}

function invalid(formula: string): Refusal {
  return new Refusal('invalid_formula', `"${formula}" is not a dice formula that this world can roll`);
}
