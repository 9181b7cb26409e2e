import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';

const soon = { timeout: 15_000, interval: 20 };

let two: TwoInstances;
let account: TestAccount;
let world: Pairing;
let module: FakeModule;

beforeAll(async () => {
  two = await startTwo('redis');
  // The keys are made on one instance, and the world is on the other.
  account = await createAccount(two.first.url);
  world = await account.pair();
  module = await connectModule(two.second.url, world);
});
afterAll(async () => {
  await module.close();
  await two.stop();
});

/** The counts that a module was told of its rolls, in their order. */
const told = ({ received }: FakeModule = module) =>
  received.flatMap(({ type, channel, count }) =>
    type === 'event-subscription-update' && channel === 'roll-events' ? [count] : [],
  );
const isTold = (...counts: number[]) => expect.poll(() => told(), soon).toEqual(counts);

async function makeKey(body: object = {}): Promise<string> {
  const made = await account.as('POST', '/auth/api-keys', { name: 'Dice', scopes: ['roll:read'], ...body });
  return String(made.body['id']);
}

it('a world remembers its rolls while a key of its account may ask for them, and no longer', async () => {
  await isTold(0);
  // Not one of these may ask this world: another scope, another world.
  await makeKey({ scopes: ['clients:read'] });
  const { clientId } = await account.pair();
  await makeKey({ clientIds: [clientId] });

  const bound = await makeKey({ clientIds: [world.clientId] });
  await isTold(0, 1);
  const free = await makeKey();
  await account.as('DELETE', `/auth/api-keys/${bound}`);
  await account.as('PATCH', `/auth/api-keys/${free}`, { scopes: ['world:read'] });
  await isTold(0, 1, 0);
  expect(told()).toEqual([0, 1, 0]);
});

it('a key that a program asked for counts too, and a world that comes back is told at once', async () => {
  const asked = await call(two.first.url, 'POST', '/auth/key-request', {
    body: { appName: 'Dice', scopes: ['roll:read'] },
  });
  const code = String(asked.body['code']);
  await account.as('POST', `/auth/key-request/${code}/approve`);
  const before = told().length;
  const { body } = await call(two.first.url, 'GET', `/auth/key-request/${code}/status`);
  expect(body).toHaveProperty('apiKey');
  await expect.poll(() => told().slice(before), soon).toEqual([1]);

  await module.close();
  await module.closed;
  module = await connectModule(two.second.url, world);
  await isTold(1);
});

it('a key that has expired keeps nothing', async () => {
  const own = await createAccount(two.first.url);
  await own.as('POST', '/auth/api-keys', {
    name: 'Dice',
    scopes: ['roll:read'],
    expiresAt: new Date(Date.now() + 300).toISOString(),
  });
  const pairing = await own.pair();
  await expect
    .poll(async () => {
      const joined = await connectModule(two.second.url, pairing);
      await expect.poll(() => told(joined), soon).toHaveLength(1);
      await joined.close();
      return told(joined);
    }, soon)
    .toEqual([0]);
});
