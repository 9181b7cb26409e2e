import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairDemoWorld, startDashboard } from '../dashboard.ts';
import type { Person, TestDashboard } from '../dashboard.ts';
import { press } from '../owner.ts';
import { comeBack, elsewhere } from './trouble.ts';

let dashboard: TestDashboard;
let world: TabletopModule | undefined;

beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(async () => {
  world?.close();
  await dashboard.stop();
});

async function newMember(): Promise<Person> {
  const person = await dashboard.newPerson();
  await person.register();
  return person;
}

test('a key whose scopes were narrowed elsewhere stays narrow when its name is changed here', async () => {
  const person = await newMember();
  const { page } = person;
  const ask = await elsewhere(dashboard.url, person);
  const { id } = await ask('POST', '/auth/api-keys', {
    name: 'Lamp',
    scopes: ['roll:execute', 'world:read'],
  });
  await page.goto('/dashboard/keys');
  await page.getByRole('link', { name: 'Lamp' }).first().waitFor();
  await ask('PATCH', `/auth/api-keys/${String(id)}`, { scopes: ['world:read'] });
  const listed = page.waitForResponse('**/auth/api-keys?*');
  await page.getByRole('link', { name: 'Lamp' }).click();
  await (await listed).finished();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Lantern');
  await press(page, 'Save key');
  await page.getByRole('heading', { name: 'Lantern' }).waitFor();
  const { items } = await ask('GET', '/auth/api-keys');
  expect(items).toMatchObject([{ name: 'Lantern', scopes: ['world:read'] }]);
});

test('who signs in at a tab does not see the pairing code of who was there before', async () => {
  const [before, next] = [await newMember(), await newMember()];
  const { page } = before;
  await page.getByRole('link', { name: 'Worlds', exact: true }).click();
  await page.getByRole('link', { name: 'Pair a world' }).first().click();
  await press(page, 'Make a code');
  await page.locator('.code-value .visually-hidden').waitFor();
  // Without a reload, which would forget everything.
  await page.getByRole('button', { name: `Account of ${before.email}` }).click();
  await press(page, 'Sign out');
  await page.getByLabel('E-mail address').fill(next.email);
  await page.getByLabel('Password').fill(next.password);
  await press(page, 'Sign in');
  await page.getByRole('heading', { name: 'Pair a world' }).waitFor();
  await page.getByRole('button', { name: `Account of ${next.email}` }).waitFor();
  await page.getByRole('button', { name: 'Make a code', exact: true }).waitFor();
  expect(await page.locator('.code-value .visually-hidden').count()).toBe(0);
});

test('a tab that one comes back to shows who signed in meanwhile in another', async () => {
  const [before, next] = [await newMember(), await newMember()];
  const { page } = before;
  await page.goto('/dashboard/worlds');
  await page.getByRole('button', { name: `Account of ${before.email}` }).waitFor();
  const { email, password } = next;
  await page.context().request.post('/auth/login', { data: { email, password } });
  await comeBack(page);
  await page.getByRole('button', { name: `Account of ${next.email}` }).waitFor();
});

test('of the keys that have ended, Try it revokes its own alone', async () => {
  const person = await newMember();
  const { page, email } = person;
  world = await pairDemoWorld(person, dashboard.url);
  const { db } = dashboard.instances;
  const { id: accountId } = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const ended = (name: string, lifeMs: number) => ({
    id: randomUUID(),
    accountId,
    hash: randomBytes(32),
    hint: 'abcd',
    name,
    scopes: ['world:read'],
    clientIds: null,
    monthlyLimit: null,
    lastUsedAt: null,
    createdAt: new Date(Date.now() - 60_000 - lifeMs),
    expiresAt: new Date(Date.now() - 60_000),
  });
  const hour = 3_600_000;
  const rows = [ended('Try it: my bot', 48 * hour), ended('Try it: The Sunken Chapel', hour)];
  await db.insertInto('apiKeys').values(rows).execute();
  await page.goto('/dashboard/try');
  await press(page, 'Send call');
  await page.getByText('200 answered').waitFor();
  const left = async () => {
    const names = db.selectFrom('apiKeys').select('name').where('accountId', '=', accountId);
    const found = await names.where('expiresAt', '<', new Date()).execute();
    return found.map(({ name }) => name).sort();
  };
  await expect.poll(left).not.toContain('Try it: The Sunken Chapel');
  expect(await left()).toEqual(['Try it: my bot']);
});
