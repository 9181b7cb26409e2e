import { connectDatabase, type Database } from '@tabletop-relay/database';
import { createTestDatabase, startPostgres } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecords } from '../../src/records/records.ts';
import type { ConnectionRecord } from '../../src/records/records.ts';

const log = pino({ level: 'silent' });
let db: Database;
let owner: Database;
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectDatabase({ url: database.url, poolSize: 4, log });
  owner = connectDatabase({ url: database.ownerUrl, poolSize: 1, log });
});
afterAll(async () => {
  await Promise.all([db.destroy(), owner.destroy()]);
  await database.drop();
});

/** A log whose lines can be read, parsed. */
function createListeningLog() {
  const lines: Record<string, unknown>[] = [];
  return {
    lines,
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  };
}

const attempt = (more: Partial<ConnectionRecord> = {}): ConnectionRecord => ({
  accountId: null,
  clientId: 'client',
  tokenId: null,
  tokenName: '',
  ipAddress: '192.0.2.1',
  userAgent: '',
  worldId: 'w',
  worldTitle: 'W',
  systemId: 's',
  systemVersion: '1',
  tabletopVersion: '13',
  metadataMatch: null,
  mismatch: [],
  outcome: 'connected',
  closeCode: null,
  attempts: 1,
  ...more,
});

const tables = ['connection_logs', 'remote_request_logs', 'audit_log'];

async function insertAccount(id: string): Promise<void> {
  const values = {
    id,
    email: `${id}@x`,
    passwordHash: '',
    masterKeyHash: Buffer.from(id),
    masterKeyHint: '',
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
  it('cannot be changed, deleted or emptied, by parent or by partition, not even by their owner', async () => {
    await insertAccount('kept');
    const records = createRecords({ db, instanceId: 'test', log });
    records.connection(attempt({ accountId: 'kept' }));
    records.remoteRequest({
      accountId: 'kept', sourceClientId: 'a', sourceTokenId: 't', sourceTokenName: 'T', targetClientId: 'b', action: 'players',
      outcome: 'ok', error: '', ipAddress: '', durationMs: 3, attempts: 1,
    }); // prettier-ignore
    records.audit({ accountId: 'kept', event: 'api_key.created', detail: { name: 'a', scopes: ['b'] } });
    await records.stop();
    for (const table of tables) {
      for (const name of [table, ...(await partitionsOf(table))]) {
        const id = sql.table(name);
        const rows = await sql`select 1 from ${id}`.execute(owner);
        const refused = /is append-only/;
        await expect(sql`truncate ${id}`.execute(owner), name).rejects.toThrow(refused);
        // Row triggers speak where there are rows.
        if (rows.rows.length === 0) continue;
        await expect(sql`update ${id} set instance_id = 'forged'`.execute(owner), name).rejects.toThrow(
          refused,
        );
        await expect(sql`delete from ${id}`.execute(owner), name).rejects.toThrow(refused);
      }
      expect((await sql`select 1 from ${sql.table(table)}`.execute(db)).rows, table).toHaveLength(1);
    }
  });

  it('go with their account, and no others do', async () => {
    await insertAccount('gone');
    const records = createRecords({ db, instanceId: 'test', log });
    records.audit({ accountId: 'gone', event: 'module.happened' });
    await records.flush();
    await db.deleteFrom('accounts').where('id', '=', 'gone').execute();
    const accounts = await db.selectFrom('auditLog').select('accountId').execute();
    expect(accounts).toEqual([{ accountId: 'kept' }]);
    // A late batch does not bring the account back into the log.
    records.audit({ accountId: 'gone', event: 'module.happened' });
    await records.stop();
    expect(await db.selectFrom('auditLog').select('accountId').execute()).toEqual(accounts);
  });

  it('take whatever a module says of itself', async () => {
    const records = createRecords({ db, instanceId: 'test', log });
    records.connection(
      attempt({ clientId: 'odd', worldTitle: 'nul \0 and half a \ud83d pair', worldId: 'x'.repeat(5000) }),
    );
    records.connection(attempt({ clientId: 'odd', outcome: null as never }));
    records.connection(attempt({ clientId: 'odd', worldTitle: 'plain' }));
    await records.stop();
    const rows = await db.selectFrom('connectionLogs').selectAll().where('clientId', '=', 'odd').execute();
    expect(rows.map((row) => row.worldTitle).sort()).toEqual(['nul  and half a \ufffd pair', 'plain']);
  });

  it('take a notice whose fields have names that jsonb refuses, in one statement with all others', async () => {
    await insertAccount('naming');
    const { lines, log: listening } = createListeningLog();
    const records = createRecords({ db, instanceId: 'test', log: listening });
    const notice = (details: object) =>
      records.audit({ accountId: 'naming', event: 'module.named', actor: 'token', detail: { details } });
    notice({ 'half \ud800': 1, '\udc00': { 'a\0b': '\ud83d\0' } });
    // These say nothing that must be mended: a pair, and texts that only look like an escape.
    const plain = { '😀': '\\ud800', '\\u0000': '\\\\udc00 "\\', '\n\u0001': 'é' };
    notice(plain);
    await records.stop();
    const rows = await db.selectFrom('auditLog').select('detail').where('accountId', '=', 'naming').execute();
    const mended = { 'half \ufffd': 1, '\ufffd': { 'a\ufffdb': '\ufffd' } };
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(
      expect.arrayContaining([{ detail: { details: mended } }, { detail: { details: plain } }]),
    );
    expect(lines).toEqual([]);
  });

  it('wait for a Postgres that is away, in bounds, and lose nothing within them', async () => {
    const server = await startPostgres();
    const own = connectDatabase({ url: server.url, poolSize: 2, log });
    const { lines, log: listening } = createListeningLog();
    const records = createRecords({
      db: own,
      instanceId: 'test',
      log: listening,
      everyMs: 5,
      maxBacklogPerAccount: 1200,
      tellDroppedEveryMs: 0,
    });
    records.audit({ event: 'module.before' });
    await records.flush();
    await server.kill();
    for (let i = 0; i < 1300; i++) records.audit({ event: `module.away-${i}` });
    await expect.poll(() => lines.some((line) => line['backlog'] === 1200)).toBe(true);
    await expect(records.flush(100)).rejects.toThrow('1200 records');
    await server.restart();
    await records.stop();
    const rows = await own.selectFrom('auditLog').select('event').execute();
    const kept = Array.from({ length: 1200 }, (_, i) => `module.away-${100 + i}`);
    expect(rows.map((row) => row.event).sort()).toEqual([...kept, 'module.before', 'records.dropped'].sort());
    expect(lines.some((line) => line['dropped'] === 100)).toBe(true);
    await own.destroy();
    await server.stop();
  });

  it('of one account, or of strangers, cannot push out those of another, and each learns what it lost', async () => {
    for (const id of ['neighbour', 'flooding', 'joined']) await insertAccount(id);
    const { lines, log: listening } = createListeningLog();
    const reasons: string[] = [];
    const records = createRecords({
      db,
      instanceId: 'test',
      log: listening,
      onDropped: (reason) => reasons.push(reason),
      maxBacklog: 1000,
      maxBacklogPerAccount: 600,
    });
    for (let i = 0; i < 10; i++) records.audit({ accountId: 'neighbour', event: 'session.started' });
    // All in one turn of the event loop: nothing is written in between.
    for (let i = 0; i < 5000; i++) {
      records.audit({ accountId: 'flooding', event: 'module.flood' });
      records.audit({ accountId: 'joined', event: 'module.flood' });
      const address = `[2001:db8:${(i % 4096).toString(16)}::1]:${i}`;
      records.connection(attempt({ clientId: 'nobody', ipAddress: address }));
    }
    await records.stop();
    const read = async (account: string) =>
      await db.selectFrom('auditLog').select(['event', 'detail']).where('accountId', '=', account).execute();
    expect((await read('neighbour')).map((row) => row.event)).toEqual(
      Array<string>(10).fill('session.started'),
    );
    for (const account of ['flooding', 'joined']) {
      const rows = await read(account);
      const written = rows.filter((row) => row.event === 'module.flood').length;
      const told = rows.filter((row) => row.event === 'records.dropped').map((row) => row.detail);
      expect(told).toEqual([
        {
          count: 5000 - written,
          reason: 'backlog_full',
          since: expect.any(String) as unknown,
          until: expect.any(String) as unknown,
        },
      ]);
      expect(written).toBeGreaterThan(400);
    }
    expect(
      await db.selectFrom('connectionLogs').select('id').where('clientId', '=', 'nobody').execute(),
    ).toHaveLength(600);
    expect(reasons).toHaveLength(15_010 - 1000 - 600);
    const said = lines.filter((line) => line['msg'] === 'records were dropped');
    expect(new Set(said.map((line) => line['reason']))).toEqual(new Set(['backlog_full']));
    expect(said.reduce((sum, line) => sum + Number(line['dropped']), 0)).toBe(reasons.length);
  });
});
