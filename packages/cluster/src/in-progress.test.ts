import { expect, test } from 'vitest';
import { InProgress } from './in-progress.ts';

test('an entry stays in its place while many others come and go', () => {
  const entries = new InProgress<number>();
  entries.set('first', 0);
  entries.set('second', 1);
  for (let index = 2; index <= 200; index++) {
    entries.set(`passing ${index}`, index);
    expect([entries.size, entries.get(`passing ${index}`)]).toEqual([3, index]);
    expect(entries.delete(`passing ${index}`)).toBe(true);
    expect(entries.delete(`passing ${index}`)).toBe(false);
  }
  expect([entries.names(), entries.first()]).toEqual([['first', 'second'], 0]);
  entries.delete('first');
  expect([entries.get('first'), entries.get('second'), entries.first()]).toEqual([undefined, 1, 1]);
});
