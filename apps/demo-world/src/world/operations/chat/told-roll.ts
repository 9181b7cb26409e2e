import type { ChatMessage, DieRoll } from '../../state.ts';

/** The fields of a roll that the chat and its lists tell. */
export function rollOf({ formula, total, dice }: NonNullable<ChatMessage['roll']>) {
  return { formula, total, ...naturals(dice), dice: dice.map(toldDie) };
}

/** Whether a single d20 that counts shows 20, or 1. */
function naturals(dice: readonly DieRoll[]): { isCritical: boolean; isFumble: boolean } {
  const twenties = dice.filter(({ faces }) => faces === 20).flatMap(({ results }) => results);
  const kept = twenties.filter((die) => die.kept);
  const natural = kept.length === 1 ? kept[0]!.value : undefined;
  return { isCritical: natural === 20, isFumble: natural === 1 };
}

function toldDie({ faces, results }: DieRoll) {
  return { faces, results: results.map(({ value, kept }) => ({ result: value, active: kept })) };
}
