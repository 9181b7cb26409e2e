import { expect, test } from 'vitest';
import { keys } from '../../src/redis/keys.ts';

test('no two keys or channels have one name', () => {
  const makers: ((one: string, other: string) => string)[] = Object.values(keys).map((key) =>
    typeof key === 'string' ? () => key : (key as (one: string, other: unknown) => string),
  );
  const names = makers.flatMap((name) => [name('a', '1'), name('b', '1'), name('a', '2')]);
  for (const name of names) expect(name).toMatch(/^r:./);
  const whole = Object.values(keys).filter((key) => typeof key === 'string').length;
  const ofOne = Object.values(keys).filter((key) => typeof key === 'function' && key.length === 1).length;
  const ofTwo = makers.length - whole - ofOne;
  expect(new Set(names).size).toBe(whole + 2 * ofOne + 3 * ofTwo);
});
