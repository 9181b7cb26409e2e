import { passwordRule } from '@tabletop-relay/contract';

/** How near a new password is to the rule, as far as a page without dictionaries can tell. The relay knows common ones too. */
export interface Strength {
  words: string;
  /** From 0 to 1. */
  share: number;
  tone: 'bad' | 'warn' | 'good';
}

/** Fewer different characters than these are a pattern. */
const minDistinct = 5;

export function strengthOf(password: string): Strength {
  const characters = Array.from(password);
  const { length } = characters;
  const { minLength, longLength } = passwordRule;
  const share = Math.min(1, length / longLength);
  if (length < minLength) {
    const more = minLength - length;
    return {
      words: `Too short: ${more} more ${more === 1 ? 'character' : 'characters'}`,
      share,
      tone: 'bad',
    };
  }
  if (new Set(characters).size < minDistinct)
    return { words: 'Weak: the same few characters', share: Math.min(share, 0.4), tone: 'bad' };
  if (length < longLength) return { words: 'Fair, if nobody can guess it', share, tone: 'warn' };
  return { words: 'Long enough', share: 1, tone: 'good' };
}
