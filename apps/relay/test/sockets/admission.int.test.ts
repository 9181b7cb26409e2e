import { connectFakeModule } from '@tabletop-relay/testing';
import type { FakeModule } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const waiting = 4;

let cluster: TestInstances;
let url: string;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances({
    config: { admissionsRunning: 1, admissionsWaiting: waiting, admissionPatienceMs: 60_000 },
  });
  [{ url }] = cluster.instances;
  account = await createAccount(url);
});
afterAll(() => cluster.stop());

const attempts = (pairing: Pairing) =>
  cluster.db
    .selectFrom('connectionLogs')
    .select(['outcome', 'tokenId'])
    .where('clientId', '=', pairing.clientId)
    .execute();

/** While it runs, no token can be checked: the one module at the gate stays there, and others wait behind it. */
async function whileTokensCannotBeRead(run: () => Promise<void>): Promise<void> {
  await cluster.db.transaction().execute(async (trx) => {
    await sql`lock table connection_tokens in access exclusive mode`.execute(trx);
    await run();
  });
}

it.each([
  ['says goodbye', (module: FakeModule) => module.socket.close()],
  ['is cut off', (module: FakeModule) => module.cut()],
])('a module that %s before its turn is recorded, and neither verified nor claimed', async (_how, leave) => {
  const pairings: Pairing[] = [];
  for (let count = 0; count <= waiting; count++) pairings.push(await account.pair());
  const [first, ...gone] = pairings as [Pairing, ...Pairing[]];
  const patient = await account.pair();
  let last: FakeModule | undefined;
  await whileTokensCannotBeRead(async () => {
    await connectFakeModule({ url, ...first });
    for (const pairing of gone) leave(await connectFakeModule({ url, ...pairing }));
    for (const pairing of gone) {
      await expect
        .poll(() => attempts(pairing), { timeout: 15_000 })
        .toEqual([{ outcome: 'gone', tokenId: null }]);
    }
    last = await connectFakeModule({ url, ...patient });
  });
  await last?.next('auth-success');
  await expect.poll(() => attempts(patient)).toMatchObject([{ outcome: 'connected' }]);
  for (const pairing of gone) expect(await attempts(pairing)).toHaveLength(1);
});

it('an upgrade that finds the line full is 503, is not looked up, and gets in when it comes again', async () => {
  const pairings: Pairing[] = [];
  for (let count = 0; count <= waiting; count++) pairings.push(await account.pair());
  const late = await account.pair();
  await whileTokensCannotBeRead(async () => {
    for (const pairing of pairings) await connectFakeModule({ url, ...pairing });
    // The line is full when the frames of all of them were read.
    const isRefused = () =>
      connectFakeModule({ url, ...late }).then(
        ({ cut }) => cut(),
        (error: unknown) => error,
      );
    await expect.poll(isRefused).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
  });
  for (const pairing of pairings) {
    await expect.poll(() => attempts(pairing)).toMatchObject([{ outcome: 'connected' }]);
  }
  await connectModule(url, late);
});
