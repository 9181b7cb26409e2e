import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { slow } from '../vitest.config.ts';

const root = path.join(import.meta.dirname, '..');
const page = readFileSync(path.join(import.meta.dirname, 'architecture.md'), 'utf8');

/** The rows of the table that follows a call through the files. */
const rows = page.split('\n').flatMap((line) => {
  const [, , file = '', local = '', remote = '', ...rest] = line.split('|').map((cell) => cell.trim());
  const name = /^`(.+\.ts)`$/.exec(file)?.[1];
  return name === undefined || rest.length !== 1 ? [] : [{ name, local, remote }];
});

const pathOf = (name: string) =>
  path.join(root, name.startsWith('packages/') ? name : `apps/relay/src/${name}`);

test('every file on the way of a call exists', () => {
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter(({ name }) => !existsSync(pathOf(name)))).toEqual([]);
});

test.each([
  ['local', 10],
  ['remote', 15],
] as const)('a %s call is followed through at most %i files', (way, most) => {
  const counted = rows.filter((row) => row[way] !== '');
  expect(counted.map((row) => Number(row[way]))).toEqual(counted.map((_, index) => index + 1));
  expect(new Set(counted.map(({ name }) => name)).size).toBe(counted.length);
  expect(counted.length).toBeLessThanOrEqual(most);
});

test('every file that the page names exists', () => {
  const files = globSync('{*.ts,{apps,packages,docs,migrations,benchmarks}/**/*.{ts,sql}}', {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  });
  const ends = new Set(files.flatMap((file) => endsOf(file.split(path.sep).join('/'))));
  const named = [...page.matchAll(/`([\w./-]+\.(?:ts|sql))`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !ends.has(name))).toEqual([]);
});

/** `a/b/c.ts`, `b/c.ts` and `c.ts`: the page shortens paths. */
function endsOf(file: string): string[] {
  const parts = file.split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
}

test('every file in the table is counted', () => {
  const counted = new Set(rows.filter(({ remote }) => remote !== '').map(({ name }) => name));
  expect(rows.filter(({ name }) => !counted.has(name))).toEqual([]);
});

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
