import { expect, test, vi } from 'vitest';
import { readTogether } from './read-together.ts';

test('reads of one turn of the event loop share a query, and later ones have their own', async () => {
  const queries: (readonly string[])[] = [];
  const read = readTogether((keys) => {
    queries.push(keys);
    return Promise.resolve(new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, `of ${key}`])));
  });
  expect(await Promise.all([read('a'), read('unknown'), read('b')])).toEqual(['of a', undefined, 'of b']);
  expect(await read('c')).toBe('of c');
  expect(queries).toEqual([['a', 'unknown', 'b'], ['c']]);
});

test('a query that fails fails its reads, and no later one', async () => {
  const readAll = vi.fn<() => Promise<Map<string, string>>>();
  readAll.mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce(new Map([['a', 'of a']]));
  const read = readTogether(readAll);
  const both = [read('a'), read('b')];
  await expect(both[0]).rejects.toThrow('away');
  await expect(both[1]).rejects.toThrow('away');
  expect(await read('a')).toBe('of a');
});
