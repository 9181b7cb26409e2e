import { createSealer, startProcessReports } from '@tabletop-relay/database';
import { execute } from '@tabletop-relay/testing';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { examine } from '../../src/doctor/doctor.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const secret = 'a secret for tests; long enough.';
const other = 'another secret for tests; as long.';

let cluster: TestInstances;
beforeAll(async () => {
  cluster = await startInstances({ secrets: [[secret]], config: { databasePool: 2 } });
});
afterAll(() => cluster.stop());

/** What the doctor of an instance to come says of those that run. */
async function findingsOf(check: string, env: Record<string, string> = {}) {
  const settings = { DATABASE_URL: cluster.databaseUrl, RELAY_SECRET: secret, DATABASE_POOL: '2', ...env };
  const findings = await examine({ env: settings });
  return findings.filter((finding) => finding.check === check);
}

it('the doctor finds connections that suffice for one instance, and not for those that run', async () => {
  expect(await findingsOf('Postgres connections')).toMatchObject([
    told({ state: 'ok', detail: /22 needed/ }),
  ]);
  await execute(
    cluster.databaseUrl,
    `insert into instances (boot, instance_id, held_until, reported_at, database_connections)
      select 'many-' || n, 'relay-' || n, now(), now(), 200 from generate_series(1, 9) n`,
  );
  onTestFinished(() =>
    execute(cluster.databaseUrl, `delete from instances where boot like 'many-%'`).then(() => {}),
  );
  const found = {
    state: 'warning',
    detail: /10 instances take 1806, one more during a roll-out 6/,
    cure: /Raise it by \d+ at least/,
  };
  expect(await findingsOf('Postgres connections')).toMatchObject([told(found)]);
});

it('the doctor finds an instance with another RELAY_SECRET', async () => {
  const found = { state: 'problem', detail: /^test-1: has another/, cure: /secrets\.md/ };
  expect(await findingsOf('RELAY_SECRET', { RELAY_SECRET: other })).toMatchObject([told(found)]);
  // The instance cannot open what this one would seal.
  const newestFirst = `${other},${secret}`;
  expect(await findingsOf('RELAY_SECRET', { RELAY_SECRET: newestFirst })).toMatchObject([told(found)]);
  const newestLast = `${secret},${other}`;
  expect(await findingsOf('RELAY_SECRET', { RELAY_SECRET: newestLast })).toMatchObject([{ state: 'ok' }]);
});

it('the doctor finds a worker with another RELAY_SECRET', async () => {
  const reports = startProcessReports({
    db: cluster.db, kind: 'worker', boot: 'foreign', instanceId: 'worker-7', keyIds: createSealer([other]).keyIds,
    log: { warn: () => {} },
  }); // prettier-ignore
  onTestFinished(() => reports.stop());
  const found = { state: 'problem', detail: /^worker-7: has another/, cure: /secrets\.md/ };
  await expect.poll(() => findingsOf('RELAY_SECRET')).toMatchObject([told(found)]);
  // It opens what relays seal then, and may have more than they.
  expect(await findingsOf('RELAY_SECRET', { RELAY_SECRET: `${secret},${other}` })).toMatchObject([
    told(found),
  ]);
});

it('the doctor finds instances of two versions', async () => {
  expect(await findingsOf('versions')).toMatchObject([told({ state: 'ok', detail: /all instances run \d/ })]);
  await execute(
    cluster.databaseUrl,
    `insert into instances (boot, instance_id, held_until, reported_at, version)
      values ('left-over', 'relay-7', now(), now(), '0.0.9')`,
  );
  onTestFinished(() =>
    execute(cluster.databaseUrl, `delete from instances where boot = 'left-over'`).then(() => {}),
  );
  const found = { state: 'warning', detail: /0\.0\.9 \(relay-7\)/, cure: /roll\.md/ };
  expect(await findingsOf('versions')).toMatchObject([told(found)]);
});

it('the doctor finds that relays run without a worker', async () => {
  const found = { state: 'warning', detail: /no worker has reported/, cure: /Start one/ };
  expect(await findingsOf('worker')).toMatchObject([told(found)]);
  const reports = startProcessReports({
    db: cluster.db, kind: 'worker', boot: 'a-worker', instanceId: 'worker-1', keyIds: createSealer([secret]).keyIds, log: { warn: () => {} },
  }); // prettier-ignore
  onTestFinished(() => reports.stop());
  await expect.poll(() => findingsOf('worker')).toMatchObject([told({ state: 'ok', detail: /^one runs$/ })]);
});

it('the doctor finds two instances of one name', async () => {
  expect(await findingsOf('INSTANCE_ID')).toEqual([]);
  await execute(
    cluster.databaseUrl,
    `insert into instances (boot, instance_id, held_until, reported_at) values ('twin', 'test-1', now(), now())`,
  );
  onTestFinished(() =>
    execute(cluster.databaseUrl, `delete from instances where boot = 'twin'`).then(() => {}),
  );
  const found = { state: 'problem', detail: /2 instances have the name test-1 .*twin/, cure: /--boot/ };
  expect(await findingsOf('INSTANCE_ID')).toMatchObject([told(found)]);
});

const told = ({ state, ...texts }: { state: string; detail: RegExp; cure?: RegExp }) => ({
  state,
  ...Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, expect.stringMatching(text) as string]),
  ),
});
