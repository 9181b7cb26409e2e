import { hash } from 'node:crypto';
import type { Outcome } from './messages.ts';
import { textAt } from './reasons.ts';

/** As much of a mutant as decides its lot. */
export type Drawn = Pick<Outcome, 'file' | 'start' | 'end' | 'replacement'>;

/**
 * In the order that the seed draws. A mutant has its lot by its file, its text and what replaces it, so that a change
 * elsewhere leaves the order of the others as it is.
 */
export function inOrderOfLots<T>(mutants: readonly T[], seed: number, describe: (mutant: T) => Drawn): T[] {
  const seen = new Map<string, number>();
  const drawn = mutants.map((mutant) => {
    const { file, replacement, ...place } = describe(mutant);
    const text = `${file} ${textAt({ file, ...place })} ${replacement}`;
    const nth = (seen.get(text) ?? 0) + 1;
    seen.set(text, nth);
    return { mutant, lot: hash('sha256', `${seed} ${nth} ${text}`) };
  });
  return drawn.toSorted((one, other) => (one.lot < other.lot ? -1 : 1)).map(({ mutant }) => mutant);
}
