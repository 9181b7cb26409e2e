import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('./migrations/', import.meta.url);
/** The version before the one with this migration compared all names, so earlier ones are judged by its tests. */
const first = '0020';

const takesAway =
  /\b(drop\s+(table|column|view|function|trigger|type)|alter\s+table\s+\w+\s+(drop|rename)|rename\s+(to|column)|set\s+not\s+null|alter\s+column\s+\w+\s+(set\s+data\s+)?type)\b/i;
const tellsWho = /\binsert\s+into\s+needed_migrations\b/i;

/** Whether the version before must not run on what this leaves, and nothing keeps it from that. */
function breaksSilently(migration: string): boolean {
  const statements = migration.replaceAll(/--.*$/gm, '');
  return takesAway.test(statements) && !tellsWho.test(statements);
}

test('a migration that takes something away names one that a release must know to run there', () => {
  const files = readdirSync(folder).filter((file) => file.slice(0, 4) >= first);
  expect(files).not.toEqual([]);
  expect(files.filter((file) => breaksSilently(readFileSync(new URL(file, folder), 'utf8')))).toEqual([]);
});

test.each([
  'alter table worlds\n  drop column title;',
  'alter table worlds rename column title to name;',
  'drop table worlds;',
  'alter table worlds alter column title set not null;',
  'alter table worlds alter column id type text;',
])('%j takes something away', (statement) => {
  expect(breaksSilently(statement)).toBe(true);
  expect(breaksSilently(`${statement}\ninsert into needed_migrations values ('0020-a');`)).toBe(false);
});

test.each([
  'create table worlds (id text not null);',
  'alter table worlds add column title text;',
  '-- drop table worlds',
  'drop index worlds_title;',
])('%j does not', (statement) => {
  expect(breaksSilently(statement)).toBe(false);
});

// By name alone the migrator knows their order. With two of one number a database that has the later name lacks the other for good.
test('migrations are numbered one by one', () => {
  const numbers = readdirSync(folder).map((file) => Number(file.slice(0, 4)));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});
