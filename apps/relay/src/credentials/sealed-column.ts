import { keyIdLength } from '@tabletop-relay/database';
import type { Database, Sealer, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';

/** A column of texts that are sealed under RELAY_SECRET and kept until somebody changes them. */
export interface SealedColumn {
  /** What it holds, for people. */
  readonly holds: string;
  /** How many of its texts name each key. */
  count(db: Database): Promise<Map<string, number>>;
  /** Seals each text that names another key anew, under the first. A text that no key opens stays as it is. */
  reseal(db: Database, sealer: Sealer): Promise<Resealed>;
}

export interface Resealed {
  resealed: number;
  /** Texts that name a key which RELAY_SECRET lacks. */
  unreadable: number;
}

/** Tables of which each row belongs to an account. */
type SealingTable = 'secondFactors' | 'webhooks';

interface ColumnTerms {
  holds: string;
  column: string;
  /** The context that the text of a row was sealed under. */
  contextOf(row: { id: string; accountId: string }): string;
}

const batchSize = 500;

/** The room that owns the table says what of it is sealed. */
export function sealedColumn(
  table: SealingTable & keyof Tables,
  { holds, column, contextOf }: ColumnTerms,
): SealedColumn {
  const from = sql.table(table);
  const sealed = sql.ref(column);
  const keyId = sql`left(${sealed}, ${sql.lit(keyIdLength)})`;

  async function readBatch(db: Database, newest: string, after: string) {
    const { rows } = await sql<{ id: string; accountId: string; sealed: string }>`
      select id, account_id as "accountId", ${sealed} as sealed from ${from}
      where ${sealed} is not null and ${keyId} <> ${newest} and id > ${after}
      order by id limit ${batchSize}`.execute(db);
    return rows;
  }

  /** Its owner may have changed it meanwhile: then it is sealed under the first key already. */
  async function replace(db: Database, row: { id: string; sealed: string }, by: string): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update ${from} set ${sealed} = ${by} where id = ${row.id} and ${sealed} = ${row.sealed}`.execute(db);
    return numAffectedRows > 0n;
  }

  return {
    holds,
    async count(db) {
      const { rows } = await sql<{ keyId: string; texts: number }>`
        select ${keyId} as "keyId", count(*)::int as texts from ${from}
        where ${sealed} is not null group by 1`.execute(db);
      return new Map(rows.map((row) => [row.keyId, row.texts]));
    },
    async reseal(db, sealer) {
      const total = { resealed: 0, unreadable: 0 };
      let rows = await readBatch(db, sealer.keyIds[0], '');
      for (; rows.length > 0; rows = await readBatch(db, sealer.keyIds[0], rows.at(-1)?.id ?? '')) {
        for (const row of rows) {
          const context = contextOf(row);
          const text = sealer.open(row.sealed, context);
          if (text === undefined) total.unreadable++;
          else if (await replace(db, row, sealer.seal(text, context))) total.resealed++;
        }
      }
      return total;
    },
  };
}
