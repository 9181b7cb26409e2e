import { connectDatabase } from '@tabletop-relay/database';
import { sql } from 'kysely';

/** Every column of every table as text; bytes as hex, and as the text that they may be. `url` is that of the tables' owner. */
export async function dumpDatabase(url: string): Promise<string> {
  const db = connectDatabase({ url, poolSize: 1, log: console });
  const tables = await sql<{ name: string }>`select c.oid::regclass::text as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`.execute(db);
  const texts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    for (const value of rows.flatMap((row) => Object.values(row))) {
      texts.push(
        Buffer.isBuffer(value)
          ? `${value.toString('hex')} ${value.toString('latin1')}`
          : JSON.stringify(value),
      );
    }
  }
  await db.destroy();
  return texts.join('\n');
}
