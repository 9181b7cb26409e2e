import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectNotices } from '../../src/notifications/outbox/collect-notices.ts';
import { startNotified } from './notified-accounts.ts';

let at: Awaited<ReturnType<typeof startNotified>>;
beforeAll(async () => {
  at = await startNotified();
});
afterAll(() => at.stop());

const settleMs = 60_000;
const connected = { outcome: 'connected' };
const handedOver = { outcome: 'handed_over', metadata_match: null };
const disconnected = { outcome: 'disconnected', metadata_match: null };

const addAccount = () => at.addAccount({ events: ['connect'], webhooks: [{ url: at.receiver.url }] });

/** All notices were written so much sooner. */
const age = (ms: number) => sql`update notices set at = at - ${ms} * interval '1 ms'`.execute(at.db);

const collect = () =>
  at.db
    .transaction()
    .execute((trx) =>
      collectNotices(trx, { operatorTargets: [], sendsMail: false, settleMs, now: Date.now }),
    );

const countNotices = async () => (await at.db.selectFrom('notices').select('id').execute()).length;

it.each([
  ['connected', connected, handedOver],
  ['handed over', handedOver, connected],
])('a handover of which only “%s” has settled is not told', async (_first, first, second) => {
  const account = await addAccount();
  await at.tell(account.id, first);
  await age(2_000);
  await at.tell(account.id, second);
  await age(settleMs - 1_000);
  await collect();
  await age(2_000);
  await collect();
  expect(await at.notificationsOf(account.id)).toEqual([]);
  expect(await countNotices()).toBe(0);
});

it.each([
  ['connected', connected, handedOver],
  ['handed over', handedOver, connected],
])('a handover of which “%s” is the last notice of a full batch is not told', async (_last, last, next) => {
  const account = await addAccount();
  for (let index = 0; index < 499; index++) await at.tell(account.id, disconnected);
  await at.tell(account.id, last);
  await at.tell(account.id, next);
  await age(3 * settleMs);
  while ((await collect()).moved > 0);
  expect(await at.notificationsOf(account.id)).toEqual([]);
  expect(await countNotices()).toBe(0);
});

it('a handover takes back one connect of its own world, and none that comes long after it', async () => {
  const account = await addAccount();
  for (const client_id of ['world-1', 'world-1', 'world-2']) await at.tell(account.id, { client_id });
  await at.tell(account.id, handedOver);
  await age(settleMs + 1_000);
  await collect();
  expect(await at.notificationsOf(account.id)).toMatchObject([
    { events: [{ clientId: 'world-1', count: 1 }, { clientId: 'world-2' }] },
  ]);
  await at.tell(account.id, handedOver);
  await age(2 * settleMs + 1_000);
  await collect();
  expect(await countNotices()).toBe(0);
  await at.tell(account.id, connected);
  await age(settleMs + 1_000);
  await collect();
  expect(await at.notificationsOf(account.id)).toMatchObject([{ eventCount: 3 }]);
});
