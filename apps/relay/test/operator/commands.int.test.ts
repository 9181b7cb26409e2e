import { findOnline } from '@tabletop-relay/cluster';
import { createSealer, startProcessReports } from '@tabletop-relay/database';
import type { RelaySecrets } from '@tabletop-relay/database';
import { startRedis } from '@tabletop-relay/testing';
import { addTotp, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { runAdminCommand } from '../../src/admin/run-command.ts';
import { createRecords } from '../../src/records/records.ts';
import { adminDeps } from '../admin.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const secret = 'a secret for tests; long enough.';
const next = 'the one after it; long enough too.';
const unused = 'one that nobody has; long enough.';

let redis: Awaited<ReturnType<typeof startRedis>>;
let cluster: TestInstances;
beforeAll(async () => {
  redis = await startRedis();
  cluster = await startInstances({ redis: [redis.url], secrets: [[secret, next]] });
});
afterAll(async () => {
  await cluster.stop();
  await redis.stop();
});

/** A command as `admin.ts` runs it, without a process for each. */
async function admin(args: string[], secrets?: RelaySecrets): Promise<string> {
  const records = createRecords({ db: cluster.db, instanceId: 'admin', log: pino({ level: 'silent' }) });
  const deps = {
    ...adminDeps(cluster, records, secrets),
    jobs: { redisUrl: redis.url },
    findOnline: (clientIds: readonly string[]) => findOnline([redis.url], clientIds),
  };
  try {
    return await runAdminCommand(deps, args);
  } finally {
    await records.stop();
  }
}

const json = async (...args: string[]) => JSON.parse(await admin([...args, '--json'])) as object;

it('each command answers programs as well', async () => {
  const { email } = await createAccount(cluster.instances[0].url);
  const listed = { accounts: expect.arrayContaining([expect.objectContaining({ email })]) as unknown };
  expect(await json('list')).toMatchObject(listed);
  expect(await json('list-sessions', email)).toMatchObject({
    sessions: [{ device: expect.any(String) as string }],
  });
  expect(await json('force-rotation', email)).toEqual({ email, done: true });
  expect(await json('end-sessions', email)).toEqual({ email, ended: 1 });
  expect(await json('dead-letters')).toEqual({ notifications: [], jobs: [] });
});

it('the worlds of an account or of all are listed, with those that are online', async () => {
  const { url } = cluster.instances[0];
  const [one, other] = [await createAccount(url), await createAccount(url)];
  const pairing = await one.pair({ worldTitle: 'Barovia' });
  const { clientId: elsewhere } = await other.pair({ worldTitle: 'Elsewhere' });
  const module = await connectModule(url, pairing);
  onTestFinished(() => module.close());
  const own = await admin(['worlds', one.email]);
  expect(own).toMatch(new RegExp(`^${pairing.clientId} +.*${one.email} +online +`, 'm'));
  expect(own).not.toContain(elsewhere);
  const all = await admin(['worlds']);
  expect(all).toContain(pairing.clientId);
  expect(all).toMatch(new RegExp(`^${elsewhere} +Elsewhere +${other.email} +offline +-$`, 'm'));
});

it('what runs is listed, and what does not run is not asked to drain', async () => {
  const running = { instanceId: 'test-1', version: '0.0.0-test', isDraining: false };
  expect(await json('instances')).toMatchObject({ instances: [running] });
  expect(await admin(['instances'])).toMatch(/^test-1 +0\.0\.0-test +\d+ +14 +serving/m);
  expect(await admin(['instances'])).toMatch(/no worker and no browser host has reported lately$/);
  await expect(admin(['drain', 'nobody'])).rejects.toThrow('no instance by the name nobody runs');
});

it('of two instances with one name none is asked to drain, unless its boot is named', async () => {
  const twin = { boot: 'twin', instanceId: 'twins', heldUntil: new Date(), reportedAt: new Date() };
  await cluster.db
    .insertInto('instances')
    .values([twin, { ...twin, boot: 'other' }])
    .execute();
  onTestFinished(() =>
    cluster.db
      .deleteFrom('instances')
      .where('instanceId', '=', 'twins')
      .execute()
      .then(() => {}),
  );
  const asked = async () => {
    const rows = cluster.db.selectFrom('instances').select('boot').where('drainAskedAt', 'is not', null);
    return (await rows.execute()).map(({ boot }) => boot);
  };
  await expect(admin(['drain', 'twins'])).rejects.toThrow(
    /2 instances have the name twins, and none.*\nboot .*\nother .*\ntwin /,
  );
  await expect(admin(['drain', 'twins', '--boot', 'third'])).rejects.toThrow('has the boot third');
  expect(await asked()).toEqual([]);
  expect(await json('drain', 'twins', '--boot', 'twin')).toEqual({
    instanceId: 'twins',
    boot: 'twin',
    asked: true,
  });
  expect(await asked()).toEqual(['twin']);
});

it('what was given up is listed without control characters, and tried again', async () => {
  const { accountId, email } = await createAccount(cluster.instances[0].url);
  await cluster.db
    .insertInto('notifications')
    .values({
      id: 'given-up',
      accountId,
      target: 'webhook',
      kind: 'discord',
      label: 'chat.example',
      status: 'failed',
      events: '[]',
      eventCount: 0,
      nextTryAt: new Date(),
      tries: 9,
      answerStatus: 404,
      answer: 'gone\u001B[2J',
    })
    .execute();
  expect(await admin(['dead-letters', email])).toMatch(
    new RegExp(`^given-up +${email} +discord chat.example +9 +- +404 gone \\[2J$`, 'm'),
  );
  await expect(admin(['resend', 'nothing'])).rejects.toThrow(
    'no notification by the id nothing was given up',
  );
  expect(await json('resend', 'given-up')).toEqual({ resent: 1 });
  expect(await admin(['dead-letters', email])).toContain('no notification was given up');
  await expect(admin(['retry-job', 'jobs', '1'])).rejects.toThrow('no job by the id 1 was given up');
});

it('what is sealed under which secret is said, and is sealed anew', async () => {
  const account = await createAccount(cluster.instances[0].url);
  await addTotp(account, cluster.db);
  const [fresh, former, spare] = createSealer([next, secret, unused]).keyIds;
  const lineOf = async (keyId: string | undefined, secrets: RelaySecrets = [next, secret, unused]) =>
    (await admin(['secrets'], secrets)).split('\n').find((line) => line.startsWith(keyId ?? '?'));
  await expect(admin(['reseal'], [unused, secret])).rejects.toThrow(
    'test-1 cannot open what the first value of RELAY_SECRET seals',
  );
  expect(await lineOf(fresh)).toMatch(/ 1 +0 +0 +0 +no +-$/);
  expect(await lineOf(former)).toMatch(/ 2 +1 +0 +0 +no +-$/);
  await admin(['reseal'], [next, secret]);
  expect(await lineOf(fresh)).toMatch(/ 1 +1 +0 +0 +no +-$/);
  // The instance still seals with it.
  expect(await lineOf(former)).toMatch(/ 2 +0 +0 +0 +no +-$/);
  expect(await lineOf(spare)).toMatch(/ 3 +0 +0 +0 +yes +test-1$/);
  expect(await lineOf(fresh, [unused])).toMatch(/ lacking +1 +0 +0 +no +-$/);
  await expect(admin(['secrets'])).rejects.toThrow('RELAY_SECRET is not set');
});

it('a worker that cannot open what would be sealed is named, and nothing is sealed so', async () => {
  const reports = startProcessReports({
    db: cluster.db, kind: 'worker', boot: 'foreign', instanceId: 'worker-7', keyIds: createSealer([next]).keyIds,
    log: { warn: () => {} },
  }); // prettier-ignore
  onTestFinished(() => reports.stop());
  await expect.poll(() => admin(['instances'])).toMatch(/^worker +worker-7$/m);
  const [former] = createSealer([secret]).keyIds;
  expect(await admin(['secrets'], [secret])).toMatch(new RegExp(`^${former} .* worker-7$`, 'm'));
  await expect(admin(['reseal'], [secret])).rejects.toThrow('worker-7 cannot open');
});
