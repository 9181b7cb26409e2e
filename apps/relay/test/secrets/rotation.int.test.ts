import { createSealer, readProcesses } from '@tabletop-relay/database';
import type { RelaySecrets } from '@tabletop-relay/database';
import { connectFakeModule } from '@tabletop-relay/testing';
import { addTotp, call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount, TestTotp } from '@tabletop-relay/testing/scenes';
import { expect, it, onTestFinished } from 'vitest';
import type { Worker } from '../../../worker/src/index.ts';
import { sealedColumns } from '../../src/sealed-columns.ts';
import { startInstances } from '../instances.ts';
import type { TestInstance, TestInstances } from '../instances.ts';
import { startTestWorker } from '../notifications/test-worker.ts';
import { callWorld, pairAcross, startLoad, unless } from './load.ts';
import type { Served } from './load.ts';

const old = 'the secret that has leaked, long enough.';
const next = 'the secret that follows it, long enough.';
/** RELAY_SECRET in the order of docs/operations/secrets.md. */
const steps: RelaySecrets[] = [[old], [old, next], [next, old], [next]];

it('RELAY_SECRET is rotated on two instances under calls, and none fails', async () => {
  const cluster = await startInstances({
    count: 2,
    secrets: steps.flatMap((step) => [step, step]),
    config: { drainGraceMs: 25_000, outboundAllow: ['127.0.0.1'] },
  });
  onTestFinished(() => cluster.stop());
  const serving = cluster.instances.slice(0, 2) as [TestInstance, TestInstance];
  const account = await createAccount(serving[0].url);
  const totp = await addTotp(account, cluster.db);
  const webhooks = [{ kind: 'standard', url: 'http://127.0.0.1:9/secret-path' }];
  expect((await account.as('PUT', '/auth/notification-settings', { ...toldNothing, webhooks })).status).toBe(
    200,
  );
  const key = await account.createKey();
  const pairing = await account.pair();
  const world = keepWorld(serving, pairing);
  await world.connected;
  const load = startLoad(serving, [
    (at, other) => callWorld([at, other], key, pairing),
    (at, other) => pairAcross(at, other, account),
    (at, other) => signInAcross(at, other, { account, totp }),
  ]);

  const drained: Promise<void>[] = [];
  for (const step of steps.slice(1)) {
    if (step[0] === next && step.length === 1) await resealAll(cluster, [next, old]);
    for (const index of [0, 1] as const) {
      const leaving = serving[index];
      serving[index] = await cluster.add();
      // As a balancer does: what runs on the leaving instance ends there, nothing new goes there.
      await load.turnOver();
      drained.push(leaving.stop());
    }
  }
  expect(await load.stop()).toEqual([]);
  await Promise.all(drained);
  expect(load.done()).toBeGreaterThanOrEqual(3 * 6 * 3);
  const named = await Promise.all(sealedColumns.map((column) => column.count(cluster.db)));
  const [keyId] = createSealer([next]).keyIds;
  expect(named.map((counts) => [...counts])).toEqual([[[keyId, 1]], [[keyId, 1]], [[keyId, 1]]]);
  world.end();
}, 60_000);

it('an instance or a worker with another RELAY_SECRET is told by a gauge and a line, and one that has it further back is not', async () => {
  const cluster = await startInstances({
    count: 4,
    secrets: [[old], [old, next], [old], [next]],
    config: { instanceReportMs: 100 },
  });
  onTestFinished(() => cluster.stop());
  const lacking = async ({ registry }: TestInstance) =>
    /^relay_secret_lacking (\d)$/m.exec(await registry.metrics())?.[1];
  // The last one seals with what two lack; the others with what it lacks alone.
  await expect.poll(() => Promise.all(cluster.instances.map(lacking))).toEqual(['1', '1', '1', '2']);
  const lines = cluster.logs.filter(({ msg }) => String(msg).startsWith('RELAY_SECRET differs'));
  expect(lines.map(({ lacking: names }) => names)).toContainEqual(['test-4']);
  await cluster.instances.at(-1)?.stop();
  await expect.poll(() => lacking(cluster.instances[0])).toBe('0');
  let worker: Worker | undefined = await startTestWorker(cluster, { relaySecret: [next] });
  onTestFinished(() => worker?.stop());
  await expect.poll(() => lacking(cluster.instances[0])).toBe('1');
  const [{ instanceId } = { instanceId: '' }] = await readProcesses(cluster.db);
  const named = () => cluster.logs.filter(({ lacking: names }) => String(names) === instanceId).length;
  await expect.poll(named).toBeGreaterThan(0);
  await worker.stop();
  worker = undefined;
  const gone = () => cluster.logs.filter(({ msg }) => String(msg).startsWith('no worker reports any more'));
  await expect.poll(() => gone().length).toBeGreaterThan(0);
}, 60_000);

const toldNothing = {
  events: Object.fromEntries(
    ['connect', 'disconnect', 'metadataMismatch', 'duplicateRejected', 'security'].map((name) => [
      name,
      true,
    ]),
  ),
  email: { enabled: false },
  batchSeconds: 10,
};

async function resealAll(cluster: TestInstances, secrets: RelaySecrets): Promise<void> {
  for (const column of sealedColumns) {
    const done = await column.reseal(cluster.db, createSealer(secrets));
    expect(done, column.holds).toEqual({ resealed: 1, unreadable: 0 });
  }
}

/** A sign-in is begun on one instance and answered on the other, with the code of an app. */
async function signInAcross(
  at: Served,
  other: Served,
  { account: { email, password }, totp }: { account: TestAccount; totp: TestTotp },
) {
  const asked = await call(at.url, 'POST', '/auth/login', { body: { email, password } });
  const { challenge, methods } = asked.body;
  if (!(methods as string[] | undefined)?.includes('totp')) return `asked: ${JSON.stringify(asked.body)}`;
  const secondFactor = { challenge, method: 'totp', code: await totp.newCode() };
  const body = { email, password, secondFactor };
  return unless(200, await call(other.url, 'POST', '/auth/login', { body }), 'sign-in');
}

/** A world whose module hands over, to an instance that serves then. */
function keepWorld(serving: readonly [TestInstance, TestInstance], pairing: Pairing) {
  const answer = () => ({ users: [] });
  const { clientId, token } = pairing;
  let isOver = false;
  const connected = connectModule(serving[0].url, pairing, answer);
  const stay = async () => {
    for (let module = await connected; !isOver;) {
      const { handover } = await module.next('reconnect');
      const newcomer = await connectFakeModule({ url: serving[1].url, clientId, answer });
      newcomer.send({ type: 'auth', token, handover });
      await newcomer.next('auth-success');
      module = newcomer;
    }
  };
  // It ends with the last socket.
  stay().catch(() => {});
  return { connected, end: () => void (isOver = true) };
}
