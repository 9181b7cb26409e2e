import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Tables } from './packages/database/src/index.ts';

/** The worker alone queries the others. */
type RelayTable = Exclude<keyof Tables, 'toldTroubles'>;

/** The room of apps/relay/src, or the file beside the rooms, that alone queries each table. */
const owners: Record<RelayTable, string> = {
  credentialEvents: 'credentials',
  connectionLogs: 'records',
  openConnections: 'records',
  remoteRequestLogs: 'records',
  auditLog: 'records',
  notices: 'records',
  callLog: 'call-log',
  callBodies: 'call-log',
  callHours: 'call-log',
  callMinutes: 'call-log',
  callLogSettings: 'call-log',
  pauses: 'pauses',
  accounts: 'accounts',
  sessions: 'accounts',
  passwordResets: 'accounts',
  signInFailures: 'accounts',
  secondFactors: 'accounts',
  recoveryCodes: 'accounts',
  usedTokens: 'accounts',
  emailConfirmations: 'accounts',
  knownClients: 'worlds',
  connectionTokens: 'worlds',
  pairingCodes: 'worlds',
  pairingFailures: 'worlds',
  pairRequests: 'worlds',
  apiKeys: 'keys',
  oldKeyValues: 'keys',
  keyUsage: 'keys',
  usageBatches: 'keys',
  keyRequests: 'keys',
  oauthRequests: 'keys',
  oauthGrants: 'keys',
  oauthTokens: 'keys',
  headlessSessions: 'headless',
  headlessViews: 'headless',
  notificationSettings: 'notifications',
  webhooks: 'notifications',
  notifications: 'notifications',
  instances: 'instances',
};

/** Files that name tables of another room, because one statement has to do both. */
const exceptions: Record<string, RelayTable[]> = {
  // A late batch must not write for an account that is being deleted, so the insert locks the account's row.
  // The account of an attempt to connect without a valid token is known from the world alone.
  'records/insert.ts': ['accounts', 'knownClients'],
  // An entry is told under the name that its world is known by now.
  'records/logs.ts': ['knownClients'],
  // The same lock, for the list of open connections.
  'records/connections/keep-open.ts': ['accounts'],
  // Whose instance is silent.
  'records/connections/lost-connections.ts': ['instances'],
  // The same lock, for batches of calls.
  'call-log/insert-calls.ts': ['accounts'],
  // A batch is written once or not at all, and it has the uses of scoped keys and of master keys.
  'keys/key-use.ts': ['accounts'],
  // Nobody pauses what is not the account's, or is deleted meanwhile. The old value of a rolled key ends with its pause.
  // The account's row is held before its key's.
  'pauses/set-pause.ts': ['oldKeyValues', 'accounts', 'apiKeys', 'knownClients'],
  // The doctor asks what the relay's role may do, by the tables where it matters.
  'doctor/check-postgres.ts': ['auditLog', 'accounts'],
};

const root = path.join(import.meta.dirname, 'apps/relay/src');
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const tables = Object.keys(owners) as RelayTable[];
const tableOf = new Map(tables.flatMap((table) => [[table, table] as const, [snake(table), table] as const]));

/** The tables that a source names: as an argument of a call such as `selectFrom`, as a type, or in SQL. */
function tablesNamedIn(source: string): Set<RelayTable> {
  const code = source.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const names = [
    ...code.matchAll(/(?<!\bas)\(\s*['"`](\w+)(?: as \w+)?['"`]/g),
    ...code.matchAll(/\bTables\[['"](\w+)['"]\]/g),
    ...code.matchAll(/\b(?:from|join|using|update|into)\s+(?:only\s+)?(\w+)/gi),
  ].map(([, name = '']) => tableOf.get(name));
  return new Set(names.filter((name) => name !== undefined));
}

const ownerOf = (file: string) => file.split('/')[0];

const foreignTables = (file: string, source: string) =>
  [...tablesNamedIn(source)].filter((table) => owners[table] !== ownerOf(file));

const sources = globSync('**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => [file, readFileSync(path.join(root, file), 'utf8')] as const);

test('a room queries its own tables only', () => {
  const found = sources.map(([file, source]) => [file, foreignTables(file, source)] as const);
  const foreign = found.filter(([, names]) => names.length > 0);
  expect(Object.fromEntries(foreign)).toEqual(exceptions);
});

test('one file writes the rows of headless sessions, for relays and browser hosts alike', () => {
  const writes =
    /(?:updateTable|insertInto|deleteFrom)\(\s*['"]headless|(?:update|into|delete from) headless_/;
  const all = globSync('{apps,packages}/*/src/**/*.ts', { cwd: import.meta.dirname });
  const written = all.filter((file) =>
    writes.test(readFileSync(path.join(import.meta.dirname, file), 'utf8')),
  );
  expect(written).toEqual(['packages/headless/src/session-states.ts']);
});

test('every table that the relay queries is found at its owner', () => {
  const named = new Set(sources.flatMap(([, source]) => [...tablesNamedIn(source)]));
  expect(tables.filter((table) => !named.has(table))).toEqual([]);
});

test.each([
  `db.selectFrom('apiKeys')`,
  `eb.selectFrom("apiKeys as key")`,
  `trx.insertInto('apiKeys')`,
  `trx.updateTable('apiKeys')`,
  `trx\n.deleteFrom(\n'apiKeys',\n)`,
  `query.leftJoin('apiKeys', 'apiKeys.id', 'keyId')`,
  `query.using('apiKeys')`,
  'sql.table(`apiKeys`)',
  `type Row = Selectable<Tables['apiKeys']>`,
  'sql`select 1 from api_keys k`',
  'sql`update api_keys set name = 1`',
  'sql`insert into api_keys values (1)`',
  'sql`select from x join api_keys k on true`',
])('a table is seen in %s', (source) => {
  expect(foreignTables('accounts/wrong.ts', source)).toEqual(['apiKeys']);
  expect(foreignTables('keys/right.ts', source)).toEqual([]);
});
