import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classOf, noTimes, percentile, timeClasses } from './hour-counts.ts';

test('a time is in the first class whose end it does not pass', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 40_000, noNaN: true }), (ms) => {
      const first = timeClasses.findIndex((end) => ms <= end);
      expect(classOf(ms)).toBe(first === -1 ? timeClasses.length : first);
    }),
  );
});

test('a percentile lies in the class of the time that it stands for', () => {
  const times = fc.array(fc.double({ min: 0.01, max: 19_999, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(times, fc.constantFrom(0.5, 0.95), (all, share) => {
      const counts = noTimes();
      for (const ms of all) (counts[classOf(ms)] as number)++;
      const exact = all.toSorted((one, other) => one - other)[Math.ceil(all.length * share) - 1] as number;
      const place = classOf(exact);
      const found = percentile(counts, share) ?? -1;
      expect(found).toBeGreaterThanOrEqual(place === 0 ? 0 : (timeClasses[place - 1] as number) - 0.01);
      expect(found).toBeLessThanOrEqual((timeClasses[place] as number) + 0.01);
    }),
  );
});

test('nothing counted has no percentile, and what took longer than all classes has the last end', () => {
  expect(percentile(noTimes(), 0.5)).toBeNull();
  const counts = noTimes();
  counts[timeClasses.length] = 3;
  expect(percentile(counts, 0.5)).toBe(timeClasses.at(-1));
});

test('the end of a class belongs to it', () => {
  expect(timeClasses.map(classOf)).toEqual(timeClasses.map((_, index) => index));
});

test('the least of all times lies at the beginning of the first class that has any', () => {
  const counts = noTimes();
  counts[3] = 5;
  expect(percentile(counts, 0)).toBe(timeClasses[2]);
});
