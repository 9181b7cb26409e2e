import { OperationRefused } from '@tabletop-relay/module-sdk';
import type { Roll } from '../../tabletop/documents.ts';

/** A roll as callers know it: a single twenty-sided die that counts tells of 20 and 1. */
export function tellRoll({ formula, dice }: Roll) {
  const kept = dice
    .filter(({ faces }) => faces === 20)
    .flatMap(({ results }) => results.filter(({ active }) => active));
  const natural = kept.length === 1 ? kept[0]!.result : undefined;
  return {
    formula,
    isCritical: natural === 20,
    isFumble: natural === 1,
    dice: dice.map(({ faces, results }) => ({
      faces,
      results: results.map(({ result, active }) => ({ result, active })),
    })),
  };
}

export function totalOf({ total, formula }: Roll): number {
  if (typeof total === 'number') return total;
  throw new OperationRefused(`${formula} gave no number`, 'invalid_formula');
}
