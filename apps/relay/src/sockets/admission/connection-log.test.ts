import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createRelayMetrics } from '../../metrics.ts';
import type { ConnectionRecord } from '../../records/records.ts';
import type { TokenPrincipal } from '../../worlds/authenticate-token.ts';
import { createConnectionLog } from './connection-log.ts';
import type { Attempt } from './connection-log.ts';

const world = {
  worldId: 'world',
  worldTitle: 'The World',
  tabletopVersion: '13',
  systemId: 'dnd5e',
  systemTitle: 'Dungeons',
  systemVersion: '5',
  customName: 'Table 1',
};
const visitor = {
  clientId: 'client',
  world,
  address: '192.0.2.1',
  ipAddress: '192.0.2.1:1234',
  userAgent: 'Browser',
  origin: 'https://table.example',
};
const paired = { worldId: 'world', systemId: 'dnd5e', origin: 'https://table.example' };
const principal = (fingerprint = paired) =>
  ({ accountId: 'account', tokenId: 'token', name: 'Laptop', fingerprint }) as TokenPrincipal;

function setUp() {
  const rows: ConnectionRecord[] = [];
  const lines: Record<string, unknown>[] = [];
  const registry = new Registry();
  const connectionLog = createConnectionLog({
    boot: 'boot',
    records: { connection: (row) => void rows.push(row) },
    limits: { connectRecords: { max: 2, windowMs: 60_000 } },
    maxCountedPairs: 100,
    metrics: createRelayMetrics(registry),
    log: pino(
      { base: null },
      { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
    ),
  });
  const record = (attempt: Partial<Attempt> = {}) =>
    connectionLog.record({ visitor, outcome: 'token_invalid', closeCode: 4002, ...attempt });
  return { rows, lines, registry, connectionLog, record };
}

test('a connection has a row with its token, its world and whether its browser is the paired one', () => {
  const { rows, lines, record } = setUp();
  record({ outcome: 'connected', closeCode: null, principal: principal(), conn: 'conn' });
  expect(rows).toEqual([
    {
      accountId: 'account',
      clientId: 'client',
      tokenId: 'token',
      tokenName: 'Laptop',
      ipAddress: '192.0.2.1:1234',
      userAgent: 'Browser',
      worldId: 'world',
      worldTitle: 'The World',
      tabletopVersion: '13',
      systemId: 'dnd5e',
      systemVersion: '5',
      metadataMatch: true,
      mismatch: [],
      outcome: 'connected',
      closeCode: null,
      attempts: 1,
      conn: 'conn',
      boot: 'boot',
    },
  ]);
  expect(lines).toEqual([expect.objectContaining({ outcome: 'connected', msg: 'module connected' })]);
  expect(lines[0]).not.toHaveProperty('mismatch');
});

test.each([
  [{ worldId: 'other' }, ['worldId']],
  [{ origin: 'https://elsewhere.example' }, ['origin']],
  [{ worldId: 'other', systemId: 'pf2e' }, ['worldId', 'systemId']],
  [{ worldId: '', systemId: '', origin: '' }, []],
])('of a browser that was paired with %j the row names what differs', (said, mismatch) => {
  const { rows, lines, record } = setUp();
  record({ principal: principal({ ...paired, ...said }) });
  expect(rows).toEqual([expect.objectContaining({ mismatch, metadataMatch: mismatch.length === 0 })]);
  expect(lines[0]?.['mismatch']).toBe(mismatch.length > 0 ? mismatch.join(',') : undefined);
});

test('strangers of one address get a few rows, and are counted from then on', async () => {
  const { rows, registry, connectionLog, record } = setUp();
  for (let attempt = 0; attempt < 5; attempt++) record();
  expect(rows).toHaveLength(2);
  const stranger = { accountId: null, tokenId: null, tokenName: '', metadataMatch: null, mismatch: [] };
  expect(rows[0]).toMatchObject({ ...stranger, attempts: 1, outcome: 'token_invalid', closeCode: 4002 });
  record({ principal: principal() });
  record({ visitor: { ...visitor, address: '192.0.2.2' } });
  expect(rows).toHaveLength(4);
  connectionLog.flush();
  expect(rows.slice(4)).toEqual([
    {
      ...stranger,
      clientId: 'client',
      ipAddress: '192.0.2.1',
      userAgent: 'Browser',
      worldId: '',
      worldTitle: '',
      tabletopVersion: '',
      systemId: '',
      systemVersion: '',
      outcome: 'token_invalid',
      closeCode: 4002,
      attempts: 3,
    },
  ]);
  expect(await registry.metrics()).toContain('{outcome="token_invalid"} 7');
});

test('refusals that are too frequent for a row are counted at once', async () => {
  const { rows, registry, connectionLog } = setUp();
  const attempt = { visitor, outcome: 'rate_limited', closeCode: null, address: '192.0.2.0' } as const;
  connectionLog.count(attempt);
  connectionLog.count(attempt);
  expect(rows).toEqual([]);
  connectionLog.flush();
  expect(rows).toEqual([expect.objectContaining({ ipAddress: '192.0.2.0', attempts: 2, closeCode: null })]);
  expect(await registry.metrics()).toContain('{outcome="rate_limited"} 2');
});

test('the end of a connection has a row of its own', () => {
  const { rows, connectionLog } = setUp();
  const identity = {
    ...visitor,
    accountId: 'account',
    principal: principal(),
    isAsPaired: true,
    declared: {},
    connectedSince: 0,
  };
  connectionLog.left({ identity, conn: 'conn' }, 'disconnected', 1001);
  expect(rows).toEqual([
    expect.objectContaining({
      accountId: 'account',
      clientId: 'client',
      tokenId: 'token',
      tokenName: 'Laptop',
      ipAddress: '192.0.2.1:1234',
      userAgent: '',
      worldTitle: 'The World',
      metadataMatch: null,
      mismatch: [],
      outcome: 'disconnected',
      closeCode: 1001,
      attempts: 1,
      conn: 'conn',
      boot: 'boot',
    }),
  ]);
});
