import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pairDemoWorld, startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';
import { faultsIn } from './faults.ts';

let dashboard: TestDashboard;
let master: Person;
let world: Awaited<ReturnType<typeof pairDemoWorld>>;
let clientId: string;
let key: string;

beforeAll(async () => {
  dashboard = await startDashboard();
  master = await dashboard.newPerson();
  await master.register();
  world = await pairDemoWorld(master, dashboard.url);
  const { page } = master;
  ({ clientId } = world);
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

const skillCheck = (actorUuid = 'Actor.mira', apiKey = key) =>
  fetch(`${dashboard.url}/sys5e/skill-check?clientId=${clientId}`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'user-agent': 'initiative/2.0' },
    body: JSON.stringify({ actorUuid, skill: 'ste' }),
  });

test('calls appear while the page is looked at, in words that need no knowledge of programs', async () => {
  const { page } = master;
  await page.goto('/dashboard/activity?show=calls');
  await page.getByText('Nothing matches these filters.').waitFor();
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

test('a call is found by its request id, failures and connections by one press, and rows link what they speak of', async () => {
  const { page } = master;
  await page.goto('/dashboard/activity');
  const quick = page.getByRole('group', { name: 'Quick filters' });
  await quick.getByRole('button', { name: 'Failed' }).click();
  await page.locator('.entry', { hasText: 'tried to roll' }).waitFor();
  await expect.poll(() => page.locator('.entry').count()).toBe(1);
  expect(await quick.getByRole('button', { name: 'Failed' }).getAttribute('aria-pressed')).toBe('true');
  const newest = await page.context().request.get('/auth/calls?limit=1');
  const [call] = ((await newest.json()) as { items: { requestId: string }[] }).items;
  await quick.getByRole('button', { name: 'Connections' }).click();
  await page.getByText('The Sunken Chapel on a server connected.').first().waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Request id').fill(call?.requestId ?? '');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.entry').count()).toBe(1);
  expect(new URL(page.url()).searchParams.get('request')).toBe(call?.requestId);
  await page.goto('/dashboard/activity?show=account');
  const row = page.locator('.entry', { hasText: 'was paired' });
  await row.getByRole('link', { name: 'The Sunken Chapel' }).click();
  await page.getByRole('heading', { level: 1, name: 'The Sunken Chapel' }).waitFor();
});

test('the home draws the calls, has their numbers as a table, and leads from an error to its calls', async () => {
  const { page } = master;
  await page.goto('/dashboard?time=day');
  await page.locator('.plot canvas').first().waitFor();
  await page.getByText('As a table: Calls each hour').click();
  const table = page.getByRole('region', { name: 'Calls each hour, as a table' });
  await table.getByRole('columnheader', { name: 'done' }).waitFor();
  await expect.poll(() => table.getByRole('row').last().innerText()).toMatch(/2\s+1\s+0$/);
  await page.getByRole('link', { name: '1 call', exact: true }).click();
  await page.getByText('Initiative bot tried to roll a skill check').waitFor();
});

test('the home tells who calls a world, shows a call as it comes, and stops its program', async () => {
  const { page } = master;
  await page.goto('/dashboard');
  const world = page.locator('.online-world');
  await world.getByText('The Sunken Chapel').waitFor();
  await world.getByText('3 calls in the last hour').waitFor();
  const calls = page.locator('.entry');
  await expect.poll(() => calls.count()).toBe(3);
  await skillCheck();
  await expect.poll(() => calls.count()).toBe(4);
  await calls
    .first()
    .getByText(/^Initiative bot rolled/)
    .waitFor();
  await world.getByText('Calling now').waitFor();

  await calls.first().getByRole('button', { name: 'Pause Initiative bot' }).click();
  await world.getByText('Paused').waitFor();
  expect((await skillCheck()).status).toBe(403);
  await calls
    .first()
    .getByText(/^Initiative bot tried to/)
    .waitFor();
  await world.getByRole('button', { name: 'Resume Initiative bot' }).click();
  await world.getByText('Calling now').waitFor();
  expect((await skillCheck()).status).toBe(200);
});

test('the console’s key is made once for a tab, and neither the list of keys nor the home counts it as a key', async () => {
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
  await page.goto('/dashboard');
  await page.getByText('2 calls with keys that these pages made for themselves.').waitFor();
  expect(await page.locator('.key-share', { hasText: 'Try it' }).count()).toBe(0);
});

test('a key’s page tells what became of its calls and from where they came', async () => {
  const { page } = master;
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Initiative bot' }).first().click();
  await page.getByRole('heading', { name: 'Initiative bot', exact: true }).waitFor();
  await page.getByText('Active', { exact: true }).waitFor();
  await page.getByText('5 calls this month, 1 refused').waitFor();
  await page.locator('.plot canvas').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'operation_failed' }).waitFor();
  await expect.poll(() => page.locator('.entry').count()).toBe(5);
  await page.getByText('initiative/2.0').waitFor();
});

test('a key is rolled: its new value is shown once, and calls with the old one are told as such', async () => {
  const { page } = master;
  await page.getByRole('button', { name: 'Roll', exact: true }).click();
  const question = page.getByRole('dialog');
  expect(await faultsIn(page)).toEqual([]);
  await question.getByLabel(/^In a day/).check();
  await question.getByRole('button', { name: 'Roll', exact: true }).click();
  const rolled = await page.locator('.secret-value code').innerText();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('No program has called with it since.').waitFor();
  for (const value of [key, rolled]) expect((await skillCheck('Actor.mira', value)).status).toBe(200);
  await page.locator('.entry', { hasText: 'old value' }).waitFor();
  await page.getByText('A program called with it').waitFor();
  await page.getByRole('button', { name: 'End it now' }).click();
  await page.getByText('A program called with it').waitFor({ state: 'detached' });
  expect((await skillCheck('Actor.mira', key)).status).toBe(401);
  key = rolled;
});

test('a program is paused from one of its calls, and resumed on the page of its key', async () => {
  const { page } = master;
  await page.locator('.entry summary').first().click();
  await page.getByRole('button', { name: 'Pause key' }).click();
  await page.getByText('Programs that use it are refused').waitFor();
  await expect.poll(async () => (await skillCheck()).status).toBe(403);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('pause ini');
  await page.locator('[role=option][aria-selected=true]', { hasText: 'Resume Initiative bot' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('button:focus', { hasText: 'Resume' }).press('Enter');
  await page.getByText('Active', { exact: true }).waitFor();
  await expect.poll(async () => (await skillCheck()).status).toBe(200);
});

test('a key at its limit stands at home, in the header and at the key until the limit is raised', async () => {
  const { page } = master;
  const limit = (monthlyLimit: number | null) =>
    dashboard.instances.db.updateTable('apiKeys').set({ monthlyLimit }).where('name', '=', 'Initiative bot');
  await limit(2).execute();
  await page.goto('/dashboard');
  await page.getByText('The key “Initiative bot” has reached its limit of 2 a month.').waitFor();
  await page.getByRole('link', { name: 'Tonight one thing needs attention' }).waitFor();
  await page.getByRole('link', { name: /^See the key/ }).click();
  await page.getByText('At its limit').waitFor();
  await page.getByText(/\d of 2 this month/).waitFor();
  await limit(null).execute();
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Tonight', exact: true }).waitFor();
});

test('by keyboard alone a key is found and revoked', async () => {
  const { page } = master;
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('revoke ini');
  await page.locator('[role=option][aria-selected=true]', { hasText: 'Revoke Initiative bot' }).waitFor();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Revoke Initiative bot?' });
  await question.getByRole('button', { name: 'Revoke' }).press('Enter');
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  expect((await skillCheck()).status).toBe(401);
  expect(master.trespasses).toEqual([]);
});

test('a refusal has its mend beside it: a permission that is missing, a world that was not named', async () => {
  const { page } = master;
  await page.goto('/dashboard');
  const other = await pairDemoWorld(master, dashboard.url);
  onTestFinished(() => other.close());
  const { origin } = new URL(page.url());
  const made = await page.request.post('/auth/api-keys', {
    data: { name: 'Session notes', scopes: ['clients:read'] },
    headers: { origin },
  });
  const { apiKey } = (await made.json()) as { apiKey: string };
  const roll = async (query = '') => {
    const response = await fetch(`${dashboard.url}/roll${query}`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: '{"formula":"1d4"}',
    });
    return response.status;
  };
  expect(await roll(`?clientId=${clientId}`)).toBe(403);
  await page.goto('/dashboard/activity?show=calls');
  const refused = (why: string) =>
    page.locator('.entry').filter({ hasText: `Session notes tried to roll a formula: ${why}` });
  const lacks = refused('the key lacks');
  await lacks.locator('summary').click();
  await lacks.getByText('Session notes may not roll dice as your characters.').waitFor();
  expect(await faultsIn(page)).toEqual([]);
  await lacks.getByRole('button', { name: 'Allow it' }).click();
  await lacks.getByText('By now Session notes may do it.').waitFor();
  await expect.poll(() => roll(`?clientId=${clientId}`)).toBe(200);

  expect(await roll()).toBe(400);
  await page.goto('/dashboard/activity?show=calls');
  const unnamed = refused('say which world');
  await unnamed.locator('summary').click();
  await unnamed.getByText('Which world?').waitFor();
  await unnamed
    .getByRole('button', { name: /^Only this one/ })
    .first()
    .click();
  await unnamed.getByText('By now Session notes is for one world alone').waitFor();
  await expect.poll(() => roll()).toBe(200);
});
