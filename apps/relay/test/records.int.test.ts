import { connectDatabase, type Database } from '@tabletop-relay/database';
import { connectFakeModule, createTestDatabase, startPostgres } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecords } from '../src/accounts/records.ts';
import type { ConnectionRecord } from '../src/accounts/records.ts';
import { connectModule, createAccount } from './account.ts';
import { startInstances } from './instances.ts';

const log = pino({ level: 'silent' });
let db: Database;
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectDatabase({ url: database.url, poolSize: 4, log });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const attempt = (more: Partial<ConnectionRecord> = {}): ConnectionRecord => ({
  account_id: null,
  client_id: 'client',
  token_id: null,
  token_name: '',
  ip_address: '192.0.2.1',
  user_agent: '',
  world_id: 'w',
  world_title: 'W',
  system_id: 's',
  system_version: '1',
  tabletop_version: '13',
  metadata_match: null,
  mismatch: [],
  outcome: 'connected',
  close_code: null,
  ...more,
});

const tables = ['connection_logs', 'remote_request_logs', 'audit_log'] as const;

async function insertAccount(id: string): Promise<void> {
  const values = {
    id,
    email: `${id}@x`,
    password_hash: '',
    master_key_hash: Buffer.from(id),
    master_key_hint: '',
  };
  await db.insertInto('accounts').values(values).execute();
}

async function partitionsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass
    order by name`.execute(db);
  return rows.map((row) => row.name);
}

describe('the records', () => {
  it('cannot be changed, deleted or emptied, by parent or by partition', async () => {
    await insertAccount('kept');
    const records = createRecords({ db, instanceId: 'test', log });
    records.connection(attempt({ account_id: 'kept' }));
    records.remoteRequest({
      account_id: 'kept', source_client_id: 'a', source_token_id: 't', target_client_id: 'b', action: 'players',
      outcome: 'ok', error: '', ip_address: '', duration_ms: 3,
    }); // prettier-ignore
    records.audit({ account_id: 'kept', event: 'test.happened', detail: { some: ['detail'] } });
    await records.stop();
    for (const table of tables) {
      for (const name of [table, ...(await partitionsOf(table))]) {
        const id = sql.table(name);
        const rows = await sql`select 1 from ${id}`.execute(db);
        const refused = /is append-only/;
        await expect(sql`truncate ${id}`.execute(db), name).rejects.toThrow(refused);
        // Row triggers speak where there are rows.
        if (rows.rows.length === 0) continue;
        await expect(sql`update ${id} set instance_id = 'forged'`.execute(db), name).rejects.toThrow(refused);
        await expect(sql`delete from ${id}`.execute(db), name).rejects.toThrow(refused);
      }
      expect((await sql`select 1 from ${sql.table(table)}`.execute(db)).rows, table).toHaveLength(1);
    }
  });

  it('go with their account, through the one function, and no others do', async () => {
    await insertAccount('gone');
    const records = createRecords({ db, instanceId: 'test', log });
    records.audit({ account_id: 'gone', event: 'test.happened' });
    await records.flush();
    await sql`select erase_account_records('gone')`.execute(db);
    const accounts = await db.selectFrom('audit_log').select('account_id').execute();
    expect(accounts).toEqual([{ account_id: 'kept' }]);
    await db.deleteFrom('accounts').where('id', '=', 'gone').execute();
    // A late batch does not bring the account back into the log.
    records.audit({ account_id: 'gone', event: 'test.happened' });
    await records.stop();
    expect(await db.selectFrom('audit_log').select('account_id').execute()).toEqual(accounts);
  });

  it('take whatever a module says of itself', async () => {
    const records = createRecords({ db, instanceId: 'test', log });
    records.connection(
      attempt({ client_id: 'odd', world_title: 'nul \0 and half a \ud83d pair', world_id: 'x'.repeat(5000) }),
    );
    records.connection(attempt({ client_id: 'odd', outcome: null as never }));
    records.connection(attempt({ client_id: 'odd', world_title: 'plain' }));
    await records.stop();
    const rows = await db.selectFrom('connection_logs').selectAll().where('client_id', '=', 'odd').execute();
    expect(rows.map((row) => row.world_title).sort()).toEqual(['nul  and half a \ufffd pair', 'plain']);
  });

  it('wait for a Postgres that is away, in order and in bounds, and lose nothing within them', async () => {
    const server = await startPostgres();
    const own = connectDatabase({ url: server.url, poolSize: 2, log });
    const lines: Record<string, unknown>[] = [];
    const listening = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const records = createRecords({
      db: own,
      instanceId: 'test',
      log: listening,
      everyMs: 5,
      maxBacklog: 1200,
    });
    records.audit({ event: 'before' });
    await records.flush();
    await server.kill();
    for (let i = 0; i < 1300; i++) records.audit({ event: `away.${i}` });
    await expect.poll(() => lines.some((line) => line['backlog'] === 1200)).toBe(true);
    await expect(records.flush(100)).rejects.toThrow('1200 records');
    await server.restart();
    await records.stop();
    const rows = await own.selectFrom('audit_log').select('event').orderBy('id').execute();
    expect(rows).toHaveLength(1201);
    expect(new Set(rows.map((row) => row.event)).has('away.1299')).toBe(true);
    expect(lines.some((line) => line['dropped'] === 100)).toBe(true);
    await own.destroy();
    await server.stop();
  });
});

describe('a connection', () => {
  it('is logged for every attempt, accepted or not, with what differs from the pairing', async () => {
    const cluster = await startInstances();
    try {
      const { url } = cluster.instances[0];
      const account = await createAccount(url);
      const pairing = await account.pair({ worldId: 'paired', systemId: 'dnd5e' });
      const connect = async (metadata: Record<string, string>) =>
        await (await connectModule(url, pairing, undefined, { metadata })).close();
      await connect({ worldId: 'paired', systemId: 'dnd5e', systemVersion: '99' });
      await connect({ worldId: 'copied', systemId: 'dnd5e' });
      const [token] = (await account.as('GET', '/auth/connection-tokens')).body['items'] as { id: string }[];
      await account.as('PATCH', `/auth/connection-tokens/${token?.id}`, { ipAllowlist: '203.0.113.1' });
      const refused = async (token: string, code: number) => {
        const module = await connectFakeModule({ url, token, clientId: pairing.clientId });
        expect((await module.closed).code).toBe(code);
      };
      await refused(pairing.token, 4003);
      await refused('nonsense', 4002);
      const read = async (query = '') =>
        (await account.as('GET', `/auth/connection-logs${query}`)).body['items'] as Record<string, unknown>[];
      await expect
        .poll(() => read())
        .toMatchObject([
          { outcome: 'token_invalid', closeCode: 4002, tokenId: null, metadataMatch: null },
          { outcome: 'address_not_allowed', closeCode: 4003, tokenId: token?.id },
          { outcome: 'connected', metadataMatch: false, mismatch: ['worldId'], worldId: 'copied' },
          { outcome: 'connected', metadataMatch: true, mismatch: [], systemVersion: '99' },
        ]);
      expect(await read('?outcome=connected')).toHaveLength(2);
      expect(await read(`?client=${pairing.clientId}&limit=1`)).toHaveLength(1);
      expect(await read('?client=another')).toEqual([]);
      expect(await read(`?until=${new Date(Date.now() - 60_000).toISOString()}`)).toEqual([]);
      expect(await read(`?since=${new Date(Date.now() - 60_000).toISOString()}`)).toHaveLength(4);
    } finally {
      await cluster.stop();
    }
  });
});
