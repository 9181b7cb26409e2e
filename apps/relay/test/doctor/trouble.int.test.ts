import { newId, readRole } from '@tabletop-relay/database';
import { migrateJobs } from '@tabletop-relay/jobs';
import { asOwner } from '@tabletop-relay/testing';
import { call, createAccount, makeAdministrator } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noTimes } from '../../src/call-log/hours/hour-counts.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const paths = ['/admin/overview', '/admin/queues', '/admin/findings'];

let cluster: TestInstances;
let url: string;
let admin: TestAccount;
beforeAll(async () => {
  cluster = await startInstances();
  url = cluster.instances[0].url;
  admin = await createAccount(url);
  await makeAdministrator(cluster.db, admin);
});
afterAll(() => cluster.stop());

it.each(paths)('%s is for administrators, and for no key', async (path) => {
  const owner = await createAccount(url);
  expect(await owner.as('GET', path)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect((await call(url, 'GET', path)).status).toBe(401);
  expect((await call(url, 'GET', path, { headers: { 'x-api-key': owner.masterKey } })).status).toBe(401);
  expect((await admin.as('GET', path)).status).toBe(200);
});

it('calls of all accounts are counted by the minute, with the codes of those that did not succeed', async () => {
  const owner = await createAccount(url);
  const { clientId } = await owner.pair();
  const headers = { 'x-api-key': await owner.createKey() };
  const sumOf = async (span: string) => {
    const { body } = await admin.as('GET', `/admin/overview?span=${span}`);
    const { starts, refused, failed, errors } = body as Record<string, number[]> & {
      errors: { code: string }[];
    };
    const sum = [...(refused ?? []), ...(failed ?? [])].reduce((one, other) => one + other, 0);
    return { places: starts?.length, sum, codes: errors.map(({ code }) => code) };
  };
  const before = await sumOf('hour');
  await call(url, 'GET', `/encounters?clientId=${clientId}`, { headers });
  const counted = { sum: before.sum + 1, codes: expect.arrayContaining(['client_offline']) as string[] };
  await expect.poll(() => sumOf('hour')).toEqual({ places: 60, ...counted });
  expect(await sumOf('day')).toEqual({ places: 144, ...counted });
});

it('the accounts with most slow calls come first, those without any not at all', async () => {
  const owners = await Promise.all([0, 1, 2].map(() => createAccount(url)));
  const [few, many, none] = owners as [TestAccount, TestAccount, TestAccount];
  const times = (place: number, calls: number) => noTimes().map((_, index) => (index === place ? calls : 0));
  // Over a second, over twenty seconds, and a second at most.
  await addHour(few, { calls: 7, outcome: 'ok', worldTimes: times(22, 7) });
  await addHour(many, {
    calls: 90,
    outcome: 'client_timeout',
    worldTimes: noTimes(),
    relayTimes: times(29, 90),
  });
  await addHour(none, { calls: 500, outcome: 'ok', worldTimes: times(21, 500) });
  const { body } = await admin.as('GET', '/admin/overview');
  expect(body['slowest']).toMatchObject([
    { email: many.email, calls: 90, refused: 0, failed: 90, slowRelay: 90, slowWorld: 0, worldP95: null },
    { email: few.email, calls: 7, refused: 0, failed: 0, slowRelay: 0, slowWorld: 7 },
  ]);
  const [, second] = body['slowest'] as { worldP95: number }[];
  expect(second?.worldP95).toBeGreaterThan(1_000);
  await cluster.db
    .updateTable('callHours')
    .set({ hour: new Date(Date.now() - 3 * 3_600_000) })
    .execute();
  expect((await admin.as('GET', '/admin/overview')).body['slowest']).toEqual([]);
  expect((await admin.as('GET', '/admin/overview?span=day')).body['slowest']).toHaveLength(2);
});

it('queues and dead letters of all accounts are told, and not what the letters held', async () => {
  const owner = await createAccount(url);
  const letter = (id: string, status: 'failed' | 'waiting' | 'sent', accountId: string | null) => ({
    id,
    accountId,
    target: newId(),
    kind: 'discord' as const,
    label: 'Secret name',
    status,
    events: sql<never>`'[{"sentence":"secret words"}]'::jsonb`,
    eventCount: 1,
    nextTryAt: new Date(),
    tries: 9,
    answeredAt: new Date(),
    answerStatus: 404,
    answer: 'secret answer',
  });
  const letters = [
    letter('0', 'sent', null),
    letter('1', 'waiting', owner.accountId),
    letter('2', 'failed', owner.accountId),
    letter('3', 'failed', null),
  ];
  await cluster.db.insertInto('notifications').values(letters).execute();
  // Before its tables are there, the store of the queues is as one that does not answer.
  expect((await admin.as('GET', '/admin/queues')).body).toMatchObject({ queues: null, failedJobs: [] });
  await migrateJobs({ url: asOwner(cluster.databaseUrl), grantTo: await readRole(cluster.db) });
  const named = ['jobs', 'notifications', 'headless'].map((name) =>
    expect.objectContaining({ name, oldestMs: 0 }),
  );
  const read = async () => (await admin.as('GET', '/admin/queues')).body;
  await expect.poll(read, { timeout: 20_000 }).toMatchObject({ queues: named });
  const body = await read();
  expect(body).toMatchObject({
    notifications: { looked: 4, pending: 1, failed: 2 },
    deadLetters: [
      { accountId: null, email: null, kind: 'discord', tries: 9, answerStatus: 404 },
      { accountId: owner.accountId, email: owner.email },
    ],
    failedJobs: [],
  });
  expect(JSON.stringify(body)).not.toMatch(/secret/i);
});

it('what the doctor finds has the words of the command line, and is looked for once a minute', async () => {
  const read = async () => (await admin.as('GET', '/admin/findings')).body;
  const [one, other] = await Promise.all([read(), read()]);
  expect(one).toEqual(other);
  expect(one).toMatchObject({
    instanceId: 'test-1',
    items: expect.arrayContaining([
      { check: 'Node', state: 'ok', detail: process.versions.node, cure: null },
      expect.objectContaining({ check: 'mail', state: 'warning', cure: 'Set SMTP_URL and MAIL_FROM.' }),
    ]) as unknown[],
  });
  expect(await read()).toEqual(one);
});

async function addHour(
  { accountId }: TestAccount,
  {
    worldTimes,
    relayTimes = noTimes(),
    ...count
  }: { calls: number; outcome: string; worldTimes: number[]; relayTimes?: number[] },
): Promise<void> {
  const row = { ...count, worldTimes, relayTimes, accountId, hour: new Date(), keyId: newId(), clientId: '' };
  await cluster.db.insertInto('callHours').values(row).execute();
}
