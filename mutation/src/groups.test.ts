import path from 'node:path';
import { expect, test } from 'vitest';
import { listGroups } from './groups.ts';

test.each(listGroups())('the group $name finds its files and their tests', ({ sources, tests }) => {
  expect(sources.length).toBeGreaterThan(5);
  expect(tests.length).toBeGreaterThan(5);
  expect(sources.filter((file) => file.endsWith('.test.ts'))).toEqual([]);
});

test('the sample holds router, sockets and keys, and the integration tests that guard them', () => {
  const calls = listGroups().find(({ name }) => name === 'calls');
  const holds = (part: string) => calls?.sources.some((file) => file.includes(part));
  expect(['router.ts', 'client-socket.ts', 'authenticate.ts'].filter((part) => !holds(part))).toEqual([]);
  const guards = calls?.tests
    .filter((file) => file.endsWith('.int.test.ts'))
    .map((file) => path.basename(file, '.int.test.ts'));
  expect(guards).toEqual(expect.arrayContaining(['routing', 'tenancy', 'monthly-limit', 'large-frames']));
});
