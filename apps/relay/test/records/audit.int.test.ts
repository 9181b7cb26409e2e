// oxlint-disable max-lines -- It is one table, a row for each event that must be on record.
import { asOwner, execute } from '@tabletop-relay/testing';
import { addTotp, call, codeOf, createAccount, makeAdministrator } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAdminCommand } from '../../src/admin/run-command.ts';
import { createRecords } from '../../src/records/records.ts';
import { adminDeps } from '../admin.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let administrator: TestAccount;

beforeAll(async () => {
  cluster = await startInstances();
  url = cluster.instances[0].url;
  administrator = await createAccount(url);
  await makeAdministrator(cluster.db, administrator);
  await asOwnerOfTables(`create function refuse_record() returns trigger language plpgsql as
    $$ begin raise exception 'no record today'; end $$`);
});
afterAll(() => cluster.stop());

const asOwnerOfTables = (statement: string) => execute(asOwner(cluster.databaseUrl), statement);

const created = { name: 'k', scopes: ['clients:read'] };

async function makeKey(own: TestAccount): Promise<string> {
  return String((await own.as('POST', '/auth/api-keys', created)).body['id']);
}

async function askForKey(more: object = {}): Promise<string> {
  const body = { appName: 'Bot', scopes: ['clients:read'], ...more };
  return String((await call(url, 'POST', '/auth/key-request', { body })).body['code']);
}

async function tokenOf(own: TestAccount): Promise<string> {
  const { body } = await own.as('GET', '/auth/connection-tokens');
  return (body['items'] as { id: string }[])[0]?.id ?? '';
}

/** A request of the operator's command line, told as an answer. */
async function operate(command: string, own: TestAccount) {
  const records = createRecords({ db: cluster.db, instanceId: 'admin', log: pino({ level: 'silent' }) });
  const done = runAdminCommand(adminDeps(cluster, records), [command, own.email]);
  return await done.then(
    () => ({ status: 200 }),
    () => ({ status: 500 }),
  );
}

/** A request with the password and a recovery code in answer to the challenge. */
async function proven(own: TestAccount, codes: string[], method: string, path: string): Promise<Act> {
  const { password } = own;
  const { challenge } = (await own.as(method, path, { password })).body;
  const secondFactor = { method: 'recovery', challenge, code: codes[0] };
  return () => own.as(method, path, { password, secondFactor });
}

type Act = () => Promise<{ status: number }>;
/** What makes an account ready for the act, the act, and the record that tells of it. */
type Case = [event: string, prepare: (own: TestAccount) => Promise<Act> | Act];

const cases: Case[] = [
  ['api_key.created', (own) => () => own.as('POST', '/auth/api-keys', created)],
  [
    'api_key.changed',
    async (own) => {
      const id = await makeKey(own);
      return () => own.as('PATCH', `/auth/api-keys/${id}`, { name: 'other' });
    },
  ],
  [
    'api_key.revoked',
    async (own) => {
      const id = await makeKey(own);
      return () => own.as('DELETE', `/auth/api-keys/${id}`);
    },
  ],
  [
    'key_request.approved',
    async (own) => {
      const code = await askForKey();
      return () => own.as('POST', `/auth/key-request/${code}/approve`, {});
    },
  ],
  [
    'key_request.denied',
    async (own) => {
      const code = await askForKey();
      return () => own.as('POST', `/auth/key-request/${code}/deny`);
    },
  ],
  [
    'key_request.collected',
    async (own) => {
      const code = await askForKey();
      await own.as('POST', `/auth/key-request/${code}/approve`, {});
      return () => call(url, 'GET', `/auth/key-request/${code}/status`);
    },
  ],
  ...(['approved', 'denied'] as const).map((status): Case => [
    `pair_request.${status}`,
    async (own) => {
      const { body } = await call(url, 'POST', '/auth/pair-request', { body: { worldId: 'w' } });
      const verb = { approved: 'approve', denied: 'deny' }[status];
      return () => own.as('POST', `/auth/pair-request/${String(body['code'])}/${verb}`);
    },
  ]),
  ['pairing_code.created', (own) => () => own.as('POST', '/auth/pairing-codes', {})],
  [
    'client.paired',
    async (own) => {
      const { code } = (await own.as('POST', '/auth/pairing-codes', {})).body;
      return () => call(url, 'POST', '/auth/pair', { body: { code, worldId: 'w' } });
    },
  ],
  [
    'client.paired_again',
    async (own) => {
      const { clientId } = await own.pair({ worldId: 'w' });
      const { code } = (await own.as('POST', '/auth/pairing-codes', {})).body;
      const body = { code, worldId: 'w', existingClientId: clientId };
      return () => call(url, 'POST', '/auth/pair', { body });
    },
  ],
  [
    'client.named',
    async (own) => {
      const { clientId } = await own.pair();
      return () => own.as('PATCH', `/auth/known-clients/${clientId}`, { customName: 'The attic' });
    },
  ],
  [
    'client.deleted',
    async (own) => {
      const { clientId } = await own.pair();
      return () => own.as('DELETE', `/auth/known-clients/${clientId}`);
    },
  ],
  [
    'connection_token.changed',
    async (own) => {
      await own.pair();
      const id = await tokenOf(own);
      return () => own.as('PATCH', `/auth/connection-tokens/${id}`, { name: 'The attic' });
    },
  ],
  [
    'connection_token.revoked',
    async (own) => {
      await own.pair();
      const id = await tokenOf(own);
      return () => own.as('DELETE', `/auth/connection-tokens/${id}`);
    },
  ],
  [
    'connection_token.given_back',
    async (own) => {
      const { token } = await own.pair();
      return () => call(url, 'POST', '/api/self-unpair', { body: { token } });
    },
  ],
  ...(['disable', 'enable', 'force-rotation'] as const).flatMap((verb): Case[] => {
    const events = {
      disable: 'account.disabled',
      enable: 'account.enabled',
      'force-rotation': 'account.rotation_forced',
    };
    const path = (own: TestAccount) => `/admin/accounts/${own.accountId}/${verb}`;
    return [
      [events[verb], (own) => () => administrator.as('POST', path(own))],
      [`${events[verb]} by the operator`, (own) => () => operate(verb, own)],
    ];
  }),
  [
    'second_factor.added',
    async (own) => {
      const { password } = own;
      const { body } = await own.as('POST', '/auth/second-factors/totp', { password });
      const confirmation = { setup: body['setup'], code: codeOf(String(body['secret'])) };
      return () => own.as('POST', '/auth/second-factors/totp/confirm', confirmation);
    },
  ],
  [
    'second_factor.renamed',
    async (own) => {
      const { id } = await addTotp(own, cluster.db);
      return () => own.as('PATCH', `/auth/second-factors/${id}`, { name: 'Telephone' });
    },
  ],
  [
    'second_factor.removed',
    async (own) => {
      const { id, recoveryCodes } = await addTotp(own, cluster.db);
      return await proven(own, recoveryCodes, 'DELETE', `/auth/second-factors/${id}`);
    },
  ],
  [
    'recovery_codes.made',
    async (own) => {
      const { recoveryCodes } = await addTotp(own, cluster.db);
      return await proven(own, recoveryCodes, 'POST', '/auth/second-factors/recovery-codes');
    },
  ],
  [
    'recovery_code.used',
    async (own) => {
      const { recoveryCodes } = await addTotp(own, cluster.db);
      return await proven(own, recoveryCodes, 'POST', '/auth/second-factors/totp');
    },
  ],
  [
    'second_factor.reset',
    async (own) => {
      await addTotp(own, cluster.db);
      return () => operate('reset-second-factor', own);
    },
  ],
  ['account.made_administrator', (own) => () => operate('make-administrator', own)],
  [
    'account.removed_administrator',
    async (own) => {
      await operate('make-administrator', own);
      return () => operate('remove-administrator', own);
    },
  ],
];

const eventsOf = async ({ accountId }: TestAccount) => {
  const rows = await cluster.db
    .selectFrom('auditLog')
    .select('event')
    .where('accountId', '=', accountId)
    .execute();
  return rows.map(({ event }) => event);
};

/** All that the acts could change. */
async function stateOf(): Promise<string> {
  const tables = [
    'accounts',
    'apiKeys',
    'connectionTokens',
    'pairingCodes',
    'keyRequests',
    'knownClients',
    'credentialEvents',
    'secondFactors',
    'recoveryCodes',
  ] as const;
  const rows = await Promise.all(tables.map((table) => cluster.db.selectFrom(table).selectAll().execute()));
  return JSON.stringify(rows);
}

describe.each(cases)('%s', (name, prepare) => {
  const [event = ''] = name.split(' ');

  it('is on record when its answer arrives', async () => {
    const own = await createAccount(url);
    const act = await prepare(own);
    const before = (await eventsOf(own)).filter((each) => each === event).length;
    expect((await act()).status).toBe(200);
    expect((await eventsOf(own)).filter((each) => each === event)).toHaveLength(before + 1);
  });

  it('does not happen when it cannot be recorded', async () => {
    const own = await createAccount(url);
    const act = await prepare(own);
    const before = await stateOf();
    await asOwnerOfTables(
      'create trigger refuse before insert on audit_log for each row execute function refuse_record()',
    );
    const { status } = await act();
    const after = await stateOf();
    await asOwnerOfTables('drop trigger refuse on audit_log');
    expect(status).toBeGreaterThanOrEqual(500);
    expect(after).toBe(before);
  });
});

it('a key that is ended because its code was used twice is on record with the reason', async () => {
  const own = await createAccount(url);
  const code = await askForKey({ callbackUrl: 'https://bot.example/' });
  const { body } = await own.as('POST', `/auth/key-request/${code}/approve`, {});
  const exchangeCode = new URL(String(body['redirectUrl'])).searchParams.get('code');
  const exchange = () => call(url, 'POST', '/auth/key-request/exchange', { body: { code: exchangeCode } });
  expect((await exchange()).status).toBe(200);
  expect((await exchange()).status).toBe(410);
  const rows = await cluster.db
    .selectFrom('auditLog')
    .select('detail')
    .where('accountId', '=', own.accountId)
    .where('event', '=', 'api_key.revoked')
    .execute();
  expect(rows).toEqual([{ detail: { why: 'exchanged twice' } }]);
});
