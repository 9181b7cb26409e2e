import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairDemoWorld, startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
let master: Person;
let world: TabletopModule;
let clientId: string;
let key: string;

beforeAll(async () => {
  dashboard = await startDashboard();
  master = await dashboard.newPerson();
  await master.register();
  world = await pairDemoWorld(master, dashboard.url);
  const { page } = master;
  await page.getByRole('link', { name: 'See the world' }).click();
  await page.getByRole('heading', { name: 'The Sunken Chapel' }).waitFor();
  clientId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.goto('/dashboard/keys/new');
  await page.getByLabel('Name', { exact: true }).fill('Initiative bot');
  await page.getByText('Everything', { exact: true }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  key = await page.locator('.secret-value code').innerText();
  await page.getByRole('button', { name: 'I have stored it' }).click();
});

afterAll(async () => {
  world.close();
  await dashboard.stop();
});

const skillCheck = (actorUuid = 'Actor.mira') =>
  fetch(`${dashboard.url}/sys5e/skill-check?clientId=${clientId}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ actorUuid, skill: 'ste' }),
  });

test('calls appear while the page is looked at, in words that need no knowledge of programs', async () => {
  const { page } = master;
  await page.goto('/dashboard/activity?show=calls');
  await page.getByText('Nothing that fits these filters has happened.').waitFor();
  await skillCheck();
  await page.getByText('Initiative bot rolled a skill check.').waitFor();
  await skillCheck('Actor.nobody');
  await page.getByText('Initiative bot tried to roll a skill check: the world refused.').waitFor();
});

test('filters stand in the address bar, and an opened call tells where its time went', async () => {
  const { page } = master;
  await page.goto('/dashboard/activity?show=calls');
  await page.getByLabel('Outcome').selectOption('The world refused');
  await expect.poll(() => new URL(page.url()).search).toBe('?show=calls&outcome=operation_failed');
  await page.getByText('Initiative bot rolled a skill check.').waitFor({ state: 'detached' });
  await page.getByText('Initiative bot tried to roll a skill check').click();
  await page.getByText(/ms in the relay, [\d.]+ ms in the world/).waitFor();
  await page.getByText('The request and the answer of this call were not kept').waitFor();
});

test('requests and answers are kept once that is ticked, and a call is repeated in the console as it was', async () => {
  const { page } = master;
  await page.goto('/dashboard/activity?show=calls');
  await page.getByLabel(/^Keep requests and answers/).check();
  await page.getByRole('status').getByText('Requests and answers are kept.').waitFor({ state: 'attached' });
  await skillCheck();
  const newest = page.locator('.entry').first();
  await expect.poll(() => page.locator('.entry').count()).toBe(3);
  await newest.locator('summary').click();
  await newest.getByText('"skill": "ste"').first().waitFor();
  await newest.getByText('"type": "skill-check-result"').waitFor();
  await newest.getByRole('link', { name: 'Repeat in Try it' }).click();
  await page.getByRole('heading', { name: 'Try it' }).waitFor();
  await expect.poll(() => page.getByLabel(/^skill/).inputValue()).toBe('ste');
  await expect.poll(() => page.getByLabel(/^actorUuid/).inputValue()).toBe('Actor.mira');
  expect(master.trespasses).toEqual([]);
});

test('the overview draws the calls, has their numbers as a table, and leads from an error to its calls', async () => {
  const { page } = master;
  await page.goto('/dashboard');
  await page.locator('.plot canvas').first().waitFor();
  await page.getByText('As a table: Calls an hour').click();
  const table = page.getByRole('region', { name: 'Calls an hour, as a table' });
  await table.getByRole('columnheader', { name: 'done' }).waitFor();
  await expect.poll(() => table.getByRole('row').last().innerText()).toMatch(/2\s+1\s+0$/);
  await page.getByRole('link', { name: '1 call', exact: true }).click();
  await page.getByText('Initiative bot tried to roll a skill check').waitFor();
});

test('the console’s key is made once for a tab, and the list of keys does not show it', async () => {
  const { page } = master;
  const send = async () => {
    await page.goto('/dashboard/try');
    await page.getByRole('button', { name: 'Send call' }).click();
    await page.getByText('200 answered').waitFor();
  };
  await send();
  await send();
  await page.goto('/dashboard/keys');
  await page.getByText('One key that these pages made for themselves').waitFor();
  expect(await page.locator('.keys tbody tr').count()).toBe(1);
});
