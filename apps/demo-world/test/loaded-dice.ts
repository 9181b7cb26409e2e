import type { Random } from '../src/world/rules/rolls/random.ts';

/** Dice that show these values one after the other, written as `value/faces`; one die too many fails the test. */
export function loadedDice(...dice: `${number}/${number}`[]): Random {
  const numbers = dice.map((die) => {
    const [value, faces] = die.split('/').map(Number) as [number, number];
    return (value - 0.5) / faces;
  });
  return () => {
    const number = numbers.shift();
    if (number === undefined) throw new Error('More dice are rolled than the test expects');
    return number;
  };
}
