import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('./migrations/', import.meta.url);
/** Those before it made the tables, and ran on none with rows of anybody. */
const first = '0018';

/** A row for each process or release: they never grow large, whatever an operator has. */
const smallTables = new Set(['instances', 'migrations', 'applied_migrations', 'needed_migrations']);

const table = String.raw`(?:only\s+)?"?(?<table>\w+)"?`;

/**
 * Statements that read or write each row of a table while nobody else may write to it. What takes a lock for a moment only, such
 * as a new column whose default is a constant, is none of them.
 */
const locks = [
  String.raw`create\s+(?:unique\s+)?index\s+(?!concurrently)(?:if\s+not\s+exists\s+)?\w*\s*on\s+${table}`,
  String.raw`alter\s+table\s+${table}\s[^;]*\badd\s+(?:constraint\s+\w+\s+)?(?:check|unique|primary\s+key|foreign\s+key|exclude)\b(?![^;]*\bnot\s+valid\b)`,
  String.raw`alter\s+table\s+${table}\s[^;]*\badd\s+column\b[^;,]*\b(?:references|unique|primary\s+key|generated|check)\b`,
  String.raw`alter\s+table\s+${table}\s[^;]*\badd\s+column\b[^;,]*\bdefault\s+\w+\s*\(`,
  String.raw`alter\s+table\s+${table}\s[^;]*\b(?:set\s+not\s+null|(?:set\s+data\s+)?type)\b`,
  String.raw`(?:update|delete\s+from)\s+${table}`,
  String.raw`(?:lock\s+table|cluster|vacuum\s+full|reindex\s+table|refresh\s+materialized\s+view)\s+${table}`,
].map((pattern) => new RegExp(String.raw`(?:^|;|\$\$|\bas\s*\()\s*${pattern}`, 'gi'));

/** The tables that a migration locks for as long as it reads or writes all of their rows, without those that it makes. */
function lockedTables(migration: string): string[] {
  const statements = migration.replaceAll(/--.*$/gm, '');
  const made = Array.from(
    statements.matchAll(/create\s+table\s+(?:if\s+not\s+exists\s+)?"?(?<table>\w+)/gi),
    ({ groups }) => groups?.['table'],
  );
  const locked = locks.flatMap((lock) =>
    Array.from(statements.matchAll(lock), ({ groups }) => groups?.['table'] ?? ''),
  );
  return locked.filter((name) => !made.includes(name) && !smallTables.has(name));
}

test('no migration locks a table that may be large', () => {
  const files = readdirSync(folder).filter((file) => file.slice(0, 4) >= first);
  expect(files).not.toEqual([]);
  const locking = files.filter(
    (file) => lockedTables(readFileSync(new URL(file, folder), 'utf8')).length > 0,
  );
  expect(locking).toEqual([]);
});

test.each([
  'create index worlds_title on worlds (title);',
  'create unique index if not exists worlds_title on only worlds (title);',
  'alter table worlds add constraint named check (title <> $$$$);',
  'alter table worlds add foreign key (owner) references accounts;',
  'alter table worlds add column owner text references accounts;',
  'alter table worlds add column code text, add column secret text default gen_random_uuid();',
  'alter table worlds alter column title set not null;',
  'alter table worlds alter column id type bigint;',
  "update worlds set title = '';",
  'select 1; delete from worlds where title is null;',
])('%j locks the table', (statement) => {
  expect(lockedTables(statement)).toEqual(['worlds']);
});

test.each([
  'create table worlds (id text unique);\ncreate index worlds_id on worlds (id);',
  "alter table worlds add column title text not null default '';",
  'alter table worlds add constraint named check (title is not null) not valid;',
  'alter table instances alter column version type text;',
  '-- update worlds set title = null;',
  'drop index worlds_title;',
])('%j does not', (statement) => {
  expect(lockedTables(statement)).toEqual([]);
});
