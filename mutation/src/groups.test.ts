import path from 'node:path';
import { expect, test } from 'vitest';
import { listGroups, timeFor } from './groups.ts';

test.each(listGroups())('the group $name finds its files and their tests', ({ sources, tests }) => {
  expect(sources.length).toBeGreaterThan(5);
  expect(tests.length).toBeGreaterThan(5);
  expect(sources.filter((file) => file.endsWith('.test.ts'))).toEqual([]);
});

test('a group leaves the time that it does not need to those after it', () => {
  const groups = listGroups();
  const shares = groups.reduce((sum, { share }) => sum + share, 0);
  const [first, second, ...others] = groups;
  if (!first || !second) throw new Error('there are groups');
  expect(timeFor(first, [second, ...others], shares)).toBe(first.share);
  expect(timeFor(second, others, shares)).toBeGreaterThan(second.share);
  expect(timeFor(second, [], shares)).toBe(shares);
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

test('what looks at each byte is left to unit tests', () => {
  const [calls, relay] = ['calls', 'relay'].map((name) => listGroups().find((group) => group.name === name));
  const scanner = 'apps/relay/src/sockets/json/valid-json.ts';
  expect(calls?.sources).not.toContain(scanner);
  expect(relay?.sources).toContain(scanner);
});
