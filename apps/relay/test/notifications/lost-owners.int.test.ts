import { findFreePort, startRedis } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { call, connectModule, createAccount, eventsTold } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { startRelayProcess } from '../process.ts';

const instanceReportMs = 300;
/** A lease ends after 4 s, and the reports after it are awaited twice. */
const patience = { timeout: 25_000 };
const timeout = 60_000;

let redis: TestRedis;
let cluster: TestInstances;
let url: string;
let account: TestAccount;
beforeAll(async () => {
  redis = await startRedis();
  cluster = await startInstances({ count: 2, redis: [redis.url], config: { instanceReportMs } });
  url = cluster.instances[0].url;
  account = await createAccount(url);
});
afterAll(async () => {
  await cluster.stop();
  await redis.stop();
});

/** An instance in a process of its own, to be killed. */
const startDoomed = async (env: Record<string, string> = {}) =>
  await startRelayProcess({
    port: await findFreePort(),
    databaseUrl: cluster.databaseUrl,
    redisUrl: redis.url,
    instanceId: 'doomed',
    env: { INSTANCE_REPORT_MS: String(instanceReportMs), DRAIN_WAIT_MS: '0', DRAIN_SPREAD_MS: '0', ...env },
  });

const logOf = async (clientId: string) => {
  const rows = await cluster.db
    .selectFrom('connectionLogs')
    .select(['outcome', 'instanceId'])
    .where('clientId', '=', clientId)
    .orderBy('id')
    .execute();
  return rows.map(({ outcome, instanceId }) => `${outcome} ${instanceId}`);
};

const connectionsTold = async () =>
  (await eventsTold(cluster.db, account.accountId)).filter((event) => event !== 'client.paired');

/** Resolves when every instance has looked for lost connections a few times more. */
async function looksPass(times = 4): Promise<void> {
  const since = new Date(Date.now() + times * instanceReportMs);
  await expect
    .poll(async () => {
      const rows = await cluster.db.selectFrom('instances').select('seenAt').execute();
      return rows.filter(({ seenAt }) => seenAt > since).length;
    })
    .toBeGreaterThanOrEqual(2);
}

it(
  'an owner that is killed has its disconnects told once, by another, and before the next connect',
  { timeout },
  async () => {
    const doomed = await startDoomed();
    const [gone, back] = [await account.pair(), await account.pair()];
    await connectModule(doomed.url, gone);
    await connectModule(doomed.url, back);
    await expect.poll(connectionsTold).toHaveLength(2);
    await doomed.end('SIGKILL');
    const headers = { 'x-api-key': account.masterKey };
    const refused = await call(url, 'GET', `/players?clientId=${gone.clientId}`, { headers });
    const requestId = refused.headers.get('x-request-id');
    expect(cluster.logs.find((line) => line['requestId'] === requestId)).toMatchObject({
      code: 'unavailable',
      owner: 'doomed',
      reason: expect.stringMatching(/the owner's (lease|subscription)/) as string,
    });
    // As if it had been killed before it noted that it had seen the world.
    await cluster.db
      .updateTable('knownClients')
      .set({ lastSeenAt: null })
      .where('clientId', '=', gone.clientId)
      .execute();
    const module = await connectModule(url, back);
    await expect
      .poll(() => logOf(gone.clientId), patience)
      .toEqual(['connected doomed', 'disconnected doomed']);
    const lastSeen = () =>
      cluster.db
        .selectFrom('knownClients')
        .innerJoin('connectionLogs as log', 'log.clientId', 'knownClients.clientId')
        .whereRef('log.at', '=', 'lastSeenAt')
        .where('outcome', '=', 'disconnected')
        .where('log.clientId', '=', gone.clientId)
        .select('lastSeenAt')
        .execute();
    await expect.poll(lastSeen).toHaveLength(1);
    const inOrder = ['connected doomed', 'disconnected doomed', 'connected test-1'];
    await expect.poll(() => logOf(back.clientId), patience).toEqual(inOrder);
    await module.close();
    await expect.poll(() => logOf(back.clientId)).toEqual([...inOrder, 'disconnected test-1']);
    await looksPass();
    const told = Map.groupBy(await connectionsTold(), (event) => event);
    expect([...told].map(([event, times]) => [event, times.length])).toEqual([
      ['connected', 3],
      ['disconnected', 3],
    ]);
    const silent = cluster.logs.filter(({ silentInstance }) => silentInstance === 'doomed');
    // Each of the two says it; again only where the instance was heard in between, as on a machine that is busy.
    expect(silent.length).toBeGreaterThanOrEqual(2);
    expect(silent[0]).toMatchObject({
      msg: 'an instance reports nothing any more',
      worlds: expect.any(Number),
    });
  },
);

it(
  'an owner that lives is left alone though it says nothing, and one that wakes tells nothing twice',
  { timeout },
  async () => {
    // It reports at its start, and not again before the others look.
    const doomed = await startDoomed({ INSTANCE_REPORT_MS: '10000' });
    const pairing = await account.pair();
    const module = await connectModule(doomed.url, pairing);
    await expect.poll(() => logOf(pairing.clientId)).toEqual(['connected doomed']);
    await looksPass(7);
    expect(await logOf(pairing.clientId)).toEqual(['connected doomed']);
    process.kill(doomed.pid, 'SIGSTOP');
    const ended = ['connected doomed', 'disconnected doomed'];
    await expect.poll(() => logOf(pairing.clientId), patience).toEqual(ended);
    process.kill(doomed.pid, 'SIGCONT');
    await module.close();
    await doomed.end('SIGTERM');
    expect(await logOf(pairing.clientId)).toEqual(ended);
  },
);
