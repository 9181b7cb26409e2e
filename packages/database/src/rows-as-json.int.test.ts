import { createTestDatabase } from '@tabletop-relay/testing';
import type { TestDatabase } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toColumns } from './rows-as-json.ts';
import { connectDatabase } from './connect.ts';
import type { Database } from './connect.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectDatabase({ url: database.url, poolSize: 1, log: { warn: () => {} } });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const camelCase = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

test('every column is reached by its camelCase name, in queries and in rows for raw SQL', async () => {
  const { rows: columns } = await sql<{ table: string; name: string }>`
    select c.relname as table, a.attname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and has_table_privilege(c.oid, 'select')`.execute(db);
  expect(columns).toContainEqual({ table: 'api_keys', name: 'client_ids' });
  for (const [table, group] of Map.groupBy(columns, (column) => column.table)) {
    const fields = group.map(({ name }) => camelCase(name));
    const selected = sql.join(fields.map((field) => sql.ref(field)));
    await sql`select ${selected} from ${sql.table(camelCase(table))}`.execute(db);
    const row = toColumns(Object.fromEntries(fields.map((field) => [field, null])));
    expect(Object.keys(row)).toEqual(group.map(({ name }) => name));
  }
});

test('the keys inside of a jsonb value come back as they were written', async () => {
  const detail = { app_name: 'a', appName: 'b', deeper: [{ 'a_b c': 1 }] };
  const values = { event: 'test.happened', outcome: 'ok', actor: 'anyone', ipAddress: '', userAgent: '' };
  await db
    .insertInto('auditLog')
    .values({ id: 'x', at: new Date(), instanceId: '', ...values, detail: JSON.stringify(detail) })
    .execute();
  expect(await db.selectFrom('auditLog').select('detail').execute()).toEqual([{ detail }]);
});
