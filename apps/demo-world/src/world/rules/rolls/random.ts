/** Gives the next number, from 0 up to and without 1. */
export type Random = () => number;

/** A generator (mulberry32) that gives the same numbers for the same seed; without one the seed is random. */
export function createRandom(seed: number = Math.floor(Math.random() * 2 ** 32)): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A document id as tabletops make them: 16 letters and digits. */
export function createId(random: Random): string {
  return Array.from({ length: 16 }, () => letters[Math.floor(random() * letters.length)]).join('');
}
