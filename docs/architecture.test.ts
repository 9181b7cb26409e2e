import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readCallPaths } from '../apps/relay/test/call-path/page.ts';
import { slow } from '../vitest.config.ts';

const root = path.join(import.meta.dirname, '..');
const page = readFileSync(path.join(import.meta.dirname, 'architecture.md'), 'utf8');

test.each([
  ['local', 42],
  ['remote', 54],
] as const)('a %s call runs through at most %i files', (way, most) => {
  const files = readCallPaths()[way];
  expect(files.length).toBeGreaterThan(20);
  expect(files.length).toBeLessThanOrEqual(most);
});

test('every file that the page names exists', () => {
  const files = globSync('{*.ts,{apps,packages,docs,migrations,benchmarks}/**/*.{ts,sql}}', {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  });
  const ends = new Set(files.flatMap((file) => endsOf(file.split(path.sep).join('/'))));
  // In the drawings they stand without marks.
  const named = [...page.matchAll(/(?<![\w./*-])\w[\w./-]*\.(?:ts|sql)\b/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !ends.has(name))).toEqual([]);
});

/** `a/b/c.ts`, `b/c.ts` and `c.ts`: the page shortens paths. */
function endsOf(file: string): string[] {
  const parts = file.split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
}

test('each promise is guarded by a test of every run, not of the nights alone', () => {
  const [, table = ''] = /## Promises.*?\n\n(.*?)\n\n/s.exec(page) ?? [];
  const promises = table.split('\n').slice(2);
  expect(promises.length).toBeGreaterThan(25);
  const slowFiles = globSync(slow, { cwd: root });
  const isSlow = (name: string) => slowFiles.some((file) => file.endsWith(`/${name}`));
  // Conformance suites are imported by tests.
  const guardsOf = (row: string) => [...row.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => name);
  expect(promises.filter((row) => guardsOf(row).every(isSlow))).toEqual([]);
});
