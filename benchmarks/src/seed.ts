import { connectDatabase } from '@tabletop-relay/database';
import type { Database, Tables } from '@tabletop-relay/database';
import { createSecret } from '@tabletop-relay/relay';
import type { Insertable } from 'kysely';

/** A paired world, and the key of its account that may call it. */
export interface Seat {
  clientId: string;
  token: string;
  apiKey: string;
}

const rowsPerStatement = 1000;

/** Paired worlds, each of an account of its own, written as pairing and the dashboard would have. */
export async function seedSeats(databaseUrl: string, count: number, prefix: string): Promise<Seat[]> {
  const worlds = Array.from({ length: count }, (_, index) => ({
    id: `${prefix}-${index}`,
    master: createSecret('masterKey'),
    key: createSecret('scopedKey'),
    token: createSecret('connectionToken'),
  }));
  const db = connectDatabase({ url: databaseUrl, poolSize: 1, log: console });
  try {
    const accounts = worlds.map(({ id, master }) => ({
      id,
      email: `${id}@example.org`,
      passwordHash: 'none',
      masterKeyHash: master.hash,
      masterKeyHint: master.hint,
    }));
    const keys = worlds.map(({ id, key: { hash, hint } }) => ({
      id,
      accountId: id,
      hash,
      hint,
      name: 'benchmark',
      scopes: ['roll:execute', 'events:subscribe', 'session:manage'],
      // Never reached, and counted all the same.
      monthlyLimit: 2_000_000_000,
    }));
    const clients = worlds.map(({ id }) => ({
      clientId: id,
      accountId: id,
      pairedWorldId: 'w',
      worldId: 'w',
    }));
    const tokens = worlds.map(({ id, token: { hash, hint } }) => ({
      id,
      accountId: id,
      clientId: id,
      hash,
      hint,
      name: 'benchmark',
      worldId: 'w',
    }));
    await insert(db, 'accounts', accounts);
    await insert(db, 'apiKeys', keys);
    await insert(db, 'knownClients', clients);
    await insert(db, 'connectionTokens', tokens);
  } finally {
    await db.destroy();
  }
  return worlds.map(({ id, token, key }) => ({ clientId: id, token: token.value, apiKey: key.value }));
}

async function insert<T extends keyof Tables>(db: Database, table: T, rows: Insertable<Tables[T]>[]) {
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const values = rows.slice(from, from + rowsPerStatement);
    await db.insertInto<keyof Tables>(table).values(values).execute();
  }
}
