import { connectDatabase, newId } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { execute, startPostgres } from '@tabletop-relay/testing';
import type { TestPostgres } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPage } from '../../../../docs/markdown-files.ts';
import { keepSettings } from '../../../worker/src/config.ts';
import { createCallLog } from '../../src/call-log/call-log.ts';
import { connectionsOf } from '../../src/instances/connections.ts';
import { createRecords } from '../../src/records/records.ts';

/** What docs/operations/capacity.md says of Postgres may be off by so much. */
const tolerance = 0.15;

const [instancesPart = '', page = ''] = readPage('docs/operations/capacity.md').split(
  '\n## What Postgres carries\n',
);
const log = pino({ level: 'silent' });
const accounts = Array.from({ length: 20 }, (_, index) => ({ id: newId(), email: `${index}@example.org` }));
const keys = accounts.map(() => [newId(), newId()]);
const worlds = accounts.map(() => [newWorld(), newWorld(), newWorld()]);
const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

let server: TestPostgres;
let db: Database;
beforeAll(async () => {
  server = await startPostgres();
  // Its own writing, at its own times, is none of a row's.
  await execute(server.ownerUrl, 'alter system set autovacuum = off');
  await execute(server.ownerUrl, 'select pg_reload_conf()');
  db = connectDatabase({ url: server.url, poolSize: 2, log });
  for (const account of accounts) {
    const values = {
      ...account,
      passwordHash: '',
      masterKeyHash: Buffer.from(account.id),
      masterKeyHint: '',
    };
    await db.insertInto('accounts').values(values).execute();
  }
}, 60_000);
afterAll(async () => {
  await db.destroy();
  await server.stop();
});

/** A day begins and an instance writes, so that times grow as ids do; `skip` moves the clock. */
function startClock() {
  let at = Date.now();
  return { now: () => (at += 1), skip: (ms: number) => void (at += ms) };
}

function newWorld(): string {
  return `fvtt_${Buffer.from(newId()).toString('hex').slice(0, 16)}`;
}

/** One row of a table of the page: its cells behind the first. */
function cellsOf(name: string): string[] {
  const row = page.split('\n').find((line) => line.startsWith(`| ${name} `)) ?? '';
  return row
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());
}

/** A size in the page's words, in bytes. */
function bytesIn(text = ''): number {
  const [, number, unit = ''] = /^([\d.,]+) ([KMGT]?B)$/.exec(text) ?? [];
  expect(number, `${text} is a size`).toBeDefined();
  return Number(number?.replaceAll(',', '')) * 1_000 ** ['B', 'KB', 'MB', 'GB', 'TB'].indexOf(unit);
}

async function measure(table: string, rows: number, write: () => Promise<void>) {
  const read = async () => {
    const { rows: found } = await sql<{ wal: number; size: number; count: number }>`
      select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
        (select sum(pg_total_relation_size(relid))::float8 from pg_partition_tree(${table}::text::regclass) where isleaf) as size,
        (select count(*)::int from ${sql.table(table)}) as count`.execute(db);
    return found[0] ?? { wal: 0, size: 0, count: 0 };
  };
  // Partitions are made, and pages begun, by a first batch that is not counted.
  await write();
  const before = await read();
  for (let written = 0; written < rows;) {
    await write();
    written = (await read()).count - before.count;
  }
  const after = await read();
  const written = after.count - before.count;
  return { disk: (after.size - before.size) / written, wal: (after.wal - before.wal) / written };
}

function expectAsOnPage(name: string, measured: { disk: number; wal: number }): void {
  const [disk, wal] = cellsOf(name);
  const off = { disk: measured.disk / bytesIn(disk) - 1, wal: measured.wal / bytesIn(wal) - 1 };
  const what = `${name}: ${Math.round(measured.disk)} B on disk, ${Math.round(measured.wal)} B of WAL`;
  expect(Math.abs(off.disk), what).toBeLessThan(tolerance);
  expect(Math.abs(off.wal), what).toBeLessThan(tolerance);
}

it('a call takes in Postgres what the page on capacity says', async () => {
  const clock = startClock();
  const callLog = createCallLog({
    db,
    broadcast: { publish: () => Promise.resolve(), subscribe: () => () => {}, onGap: () => () => {} },
    instanceId: 'relay-5d8f7c9b6d-x2v4q',
    log,
    records: { countDropped: () => {} },
    now: clock.now,
    settings: {
      callLog: true, callRowsPerSecond: 500, callRowsWaiting: 1_000, callRowsWaitingPerAccount: 1_000,
      callBodyBytesWaiting: 1_000, callBodyBytesPerHour: 1_000, callRowsEveryMs: 3_600_000,
    },
  }); // prettier-ignore
  let calls = 0;
  const write = async () => {
    for (let index = 0; index < 100; index++) {
      const of = calls++ % accounts.length;
      const which = Math.floor(calls / accounts.length);
      const fails = calls % 20 === 0;
      callLog.record({
        accountId: accounts[of]?.id ?? '', keyId: keys[of]?.[which % 2] ?? '', keyName: 'Initiative bot',
        clientId: worlds[of]?.[which % 3] ?? '', operation: 'entity-update',
        outcome: fails ? 'client_timeout' : 'ok', status: fails ? 504 : 200, tookMs: 12, worldMs: 9,
        requestId: crypto.randomUUID(), ipAddress: `203.0.113.${of}`, userAgent: 'tabletop-relay-sdk/0.2.0 node/24',
        oldValue: false, ignoredParameters: '', via: 'http', assistant: null, replayed: false,
      }); // prettier-ignore
    }
    clock.skip(1_000);
    await callLog.flush();
  };
  expectAsOnPage('a call', await measure('call_log', 8_000, write));
  await callLog.stop();
}, 120_000);

it('a connection and an audit record take in Postgres what the page on capacity says', async () => {
  const clock = startClock();
  const records = createRecords({
    db,
    instanceId: 'relay-5d8f7c9b6d-x2v4q',
    log,
    now: clock.now,
    everyMs: 3_600_000,
  });
  let count = 0;
  const writeConnections = async () => {
    for (let index = 0; index < 10; index++) {
      const of = count++ % accounts.length;
      const conn = newId();
      const row = {
        accountId: accounts[of]?.id ?? null, clientId: worlds[of]?.[count % 3] ?? '', tokenId: newId(),
        tokenName: 'Chrome on Linux', ipAddress: `203.0.113.${of}`, userAgent: browser, worldId: 'curse-of-strahd',
        worldTitle: 'Curse of Strahd', systemId: 'dnd5e', systemVersion: '5.1.8', tabletopVersion: '13.347',
        metadataMatch: true, mismatch: [], attempts: 1, conn, boot: 'a-boot-of-twenty-letters',
      }; // prettier-ignore
      records.connection({ ...row, outcome: 'connected', closeCode: null });
      const end = { userAgent: '', metadataMatch: null, outcome: 'disconnected', closeCode: 1001 } as const;
      records.connection({ ...row, ...end });
    }
    clock.skip(200);
    await records.flush();
  };
  expectAsOnPage('a connection', await measure('connection_logs', 2_000, writeConnections));
  const writeAudit = async () => {
    for (let index = 0; index < 20; index++) {
      const of = count++ % accounts.length;
      records.audit({
        event: 'session.started', accountId: accounts[of]?.id ?? null, subjectId: newId(),
        ipAddress: `203.0.113.${of}`, userAgent: browser,
      }); // prettier-ignore
    }
    clock.skip(200);
    await records.flush();
  };
  expectAsOnPage('an audit record', await measure('audit_log', 2_000, writeAudit));
  await records.stop();
}, 120_000);

it('the sizes that the page computes follow from its rows', () => {
  const [call = 0, callWal = 0] = cellsOf('a call').slice(0, 2).map(bytesIn);
  const [connection = 0, connectionWal = 0] = cellsOf('a connection').slice(0, 2).map(bytesIn);
  const [day, days] = [86_400, (setting: { default: number }) => setting.default];
  // Calls are dropped by the day, connections by the week: a part of the last one stays.
  const callDays = days(keepSettings.keepCallLogDays as never) + 1;
  const connectionDays = days(keepSettings.keepConnectionLogDays as never) + 7;
  const rows = page.split('\n').filter((line) => /^\| [\d,]+ +\|/.test(line));
  expect(rows).toHaveLength(4);
  for (const row of rows) {
    const [worlds = 0, calls = 0] = row
      .split('|')
      .slice(1, 3)
      .map((cell) => Number(cell.replaceAll(',', '')));
    const [, , , ...cells] = row.split('|').map((cell) => cell.trim());
    const [callDisk = 0, connectionDisk = 0, wal = 0] = cells.slice(0, 3).map(bytesIn);
    // Each world is opened and closed three times a day.
    const near = (said: number, is: number) => expect(Math.abs(said / is - 1), row).toBeLessThan(tolerance);
    near(callDisk, calls * day * callDays * call);
    near(connectionDisk, worlds * 6 * connectionDays * connection);
    near(wal, calls * day * callWal + worlds * 6 * connectionWal);
  }
});

it('the instances, memory and connections that the page computes follow from what it says beside them', () => {
  const rows = instancesPart.split('\n').filter((line) => /^\| [\d,]+ +\| [\d,]+ +\|/.test(line));
  expect(rows).toHaveLength(4);
  const [, processMb = 0, worldKb = 0] =
    /: ([\d.]+) MB for a process .*, ([\d.]+) KB for a world/.exec(instancesPart)?.map(Number) ?? [];
  for (const row of rows) {
    const [worlds = 0, , instances = 0, , memory = 0, postgres, redis] = row
      .split('|')
      .slice(1, -1)
      .map((cell) => Number(cell.replaceAll(',', '').replace(' GB', '')));
    expect(instances, row).toBe(worlds / 10_000 + 1 < 2 ? 2 : worlds / 10_000 + 1);
    const computed = instances * processMb + (worlds * worldKb) / 1_000;
    expect(Math.abs((memory * 1_000) / computed - 1), row).toBeLessThan(0.1);
    expect([postgres, redis], row).toEqual([(instances + 1) * connectionsOf(10), instances * 10]);
  }
});
