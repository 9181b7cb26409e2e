import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairDemoWorld, startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';
import { expectGood, faultsIn } from './faults.ts';
import { press, setUpApp } from './owner.ts';

const demoWorldUrl = 'http://127.0.0.1:9/';

let dashboard: TestDashboard;
let master: Person;
let world: TabletopModule;

beforeAll(async () => {
  dashboard = await startDashboard({ config: { demoWorldUrl } });
  master = await dashboard.newPerson();
  await master.register();
});
afterAll(async () => {
  world?.close();
  await dashboard.stop();
});

test('a form says at each field in one plain sentence what is wrong, and the first of them takes the focus', async () => {
  const { page, email } = await dashboard.newPerson();
  await page.goto('/dashboard/register');
  await press(page, 'Open account');
  await page.getByText('Your e-mail address is needed.').waitFor();
  await page.getByText('The password is needed.').waitFor();
  expect(await page.getByLabel('E-mail address').evaluate((input) => input === document.activeElement)).toBe(
    true,
  );
  await page.getByLabel('E-mail address').fill(email);
  expect(await page.getByText('Your e-mail address is needed.').count()).toBe(0);
  await page.getByLabel('Password').fill('passwordpassword');
  await press(page, 'Open account');
  // What the relay alone knows stands at the field as well, and nowhere else.
  await page.locator('.field-error', { hasText: 'tried first' }).waitFor();
  expect(await page.locator('.notice').count()).toBe(0);
  await page.getByLabel('Password').press('End');
  await page.keyboard.type('!');
  expect(await page.locator('.field-error').count()).toBe(0);
  expect(await page.locator('main').innerText()).not.toMatch(/must be|must NOT|string/);
  await page.context().close();
});

test('a password is shown on request, and its strength is told as it is typed', async () => {
  const { page } = await dashboard.newPerson();
  await page.goto('/dashboard/register');
  const password = page.getByLabel('Password');
  await password.fill('seven77');
  await page.getByText('Too short: 3 more characters').waitFor();
  await password.fill('a few words in a row');
  await page.getByText('Long enough', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show' }).click();
  expect(await password.getAttribute('type')).toBe('text');
  expect(await password.inputValue()).toBe('a few words in a row');
  await page.getByRole('button', { name: 'Hide' }).click();
  expect(await password.getAttribute('type')).toBe('password');
  await page.context().close();
});

test('leaving a page with a secret that is shown once is asked about: by link, by the way back, by the tab', async () => {
  const { page } = master;
  await page.goto('/dashboard/keys');
  await page.getByRole('link', { name: 'Create a key' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Guarded');
  await press(page, 'Create key');
  const secret = await page.locator('.secret-value code').innerText();
  const question = page.getByRole('dialog', { name: 'Leave without storing the API key?' });
  await page.getByRole('link', { name: 'Worlds', exact: true }).click();
  await question.waitFor();
  await press(page, 'Stay');
  await page.goBack();
  await question.waitFor();
  await press(page, 'Stay');
  expect(await page.locator('.secret-value code').innerText()).toBe(secret);
  const asked = new Promise<string>((resolve) =>
    page.once('dialog', (dialog) => {
      resolve(dialog.type());
      void dialog.accept();
    }),
  );
  await page.reload();
  expect(await asked).toBe('beforeunload');
});

test('the first steps lead from an empty account to a first call, and go by themselves', async () => {
  const { page } = master;
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  expect(await faultsIn(page)).toEqual([]);
  const opened = page.context().waitForEvent('page');
  await press(page, 'Use the demo world');
  const address = new URL((await (await opened).waitForEvent('requestfailed')).url());
  const code = (await page.locator('.code-value .visually-hidden').innerText()).replaceAll(' ', '');
  expect(address.origin + address.pathname).toBe(demoWorldUrl);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    own: '',
    relay: `${dashboard.url.replace('http', 'ws')}/relay`,
    code,
  });
  await (await opened).close();
});

test('the pairing page makes no code before it is asked for one', async () => {
  const person = await dashboard.newPerson();
  await person.register();
  const { page } = person;
  const made: string[] = [];
  page.on(
    'request',
    (request) => request.url().endsWith('/auth/pairing-codes') && made.push(request.method()),
  );
  await page.goto('/dashboard/pair');
  await page.getByRole('button', { name: 'Make a code' }).waitFor();
  expect(made).toEqual([]);
  await page.getByRole('button', { name: 'Make a code' }).click();
  await page.locator('.code-value .visually-hidden').waitFor();
  expect(made).toEqual(['POST']);
  await page.context().close();
});

test('somebody who is signed in never sees the form to register', async () => {
  const { page } = master;
  await page.goto('/dashboard/register');
  await page.getByRole('heading', { name: 'Tonight', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Open account' }).count()).toBe(0);
});

test('Ctrl-K finds worlds, keys, pages and operations, by keyboard alone', async () => {
  const { page } = master;
  world = await pairDemoWorld(master, dashboard.url);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'The Sunken Chapel' }).first().waitFor();
  const field = page.getByRole('combobox', { name: 'Search' });
  const goTo = async (query: string) => {
    await page.keyboard.press('Control+k');
    await field.fill(query);
    await page.locator('[role=option][aria-selected=true]').waitFor();
  };
  await goTo('guarded');
  await page.getByRole('option', { name: /^Guarded/ }).waitFor();
  expect(await faultsIn(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Guarded', exact: true }).waitFor();
  await goTo('sunken');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The Sunken Chapel' }).waitFor();
  await goTo('skill-check');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Try it' }).waitFor();
  expect(new URL(page.url()).searchParams.get('operation')).toBe('skill-check');
  await page.getByRole('heading', { name: 'Try it' }).focus();
  await page.keyboard.press('?');
  await field.fill('pause sunken');
  await page.getByRole('option', { name: /^Pause The Sunken Chapel/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('The Sunken Chapel is paused.').waitFor({ state: 'attached' });
  await goTo('resume sunken');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('no longer paused').waitFor({ state: 'attached' });
  await goTo('show the fight on your stream');
  await page
    .getByRole('option', { name: /Guide$/ })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/guides/game-masters#*');
});

test('while the relay does not answer, no world is shown as online', async () => {
  const { page } = master;
  await page.goto('/dashboard/worlds');
  const row = page.locator('.world-row');
  await row.getByText('Online', { exact: true }).waitFor();
  await page.context().setOffline(true);
  await page.getByText('The relay does not answer. Check').waitFor();
  await row.getByText('Not known').waitFor();
  expect(await row.getByText('Online', { exact: true }).count()).toBe(0);
  await page.context().setOffline(false);
  await row.getByText('Online', { exact: true }).waitFor();
});

test('a game master reads no names of instances and no ports', async () => {
  const { page } = master;
  for (const path of ['/dashboard/worlds', '/dashboard/activity']) {
    await page.goto(path);
    await page.getByText('on a server').first().waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/instance|:\d{4,5}\b|test-1|Auth timeout/);
  }
});

test('a page shows its worlds before the relay has said who asks, and a session that ended leads to the sign-in', async () => {
  const storageState = await master.page.context().storageState();
  const { page } = await dashboard.newPerson({ storageState });
  let answer = () => {};
  await page.route('**/auth/account', async (route) => {
    await new Promise<void>((resolve) => (answer = resolve));
    await route.continue();
  });
  await page.goto('/dashboard/worlds');
  await page.getByRole('link', { name: 'The Sunken Chapel' }).waitFor();
  answer();
  await page.getByRole('button', { name: `Account of ${master.email}` }).waitFor();
  await page.unroute('**/auth/account');
  await page.context().clearCookies();
  await page.goto('/dashboard/worlds');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).search).toBe('?next=%2Fdashboard%2Fworlds');
  await page.context().close();
});

test('the account’s menu has the way out', async () => {
  const person = await dashboard.newPerson();
  await person.register();
  const { page } = person;
  await page.getByRole('button', { name: `Account of ${person.email}` }).click();
  await page.getByRole('link', { name: 'Notifications' }).waitFor();
  expect(await faultsIn(page)).toEqual([]);
  await press(page, 'Sign out');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.context().close();
});

test('an administrator sees the instances, and disables and enables an account', async () => {
  const [admin, other] = [await dashboard.newPerson(), await dashboard.newPerson()];
  await Promise.all([admin.register(), other.register()]);
  const { db } = dashboard.instances;
  await setUpApp({ ...admin, db });
  await db.updateTable('accounts').set({ isAdministrator: true }).where('email', '=', admin.email).execute();
  const { page } = admin;
  await page.goto('/dashboard/admin');
  await page.getByRole('rowheader', { name: 'test-1' }).waitFor();
  await page.getByRole('button', { name: `Sessions of ${other.email}` }).click();
  await page.getByRole('button', { name: /^End the session in/ }).waitFor();
  await expectGood(page);
  await page.getByRole('button', { name: `Disable ${other.email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click();
  await page.getByRole('button', { name: `Enable ${other.email}` }).waitFor();
  await other.page.goto('/dashboard');
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByRole('button', { name: `Enable ${other.email}` }).click();
  await page.getByRole('button', { name: `Disable ${other.email}` }).waitFor();
  await page.getByRole('link', { name: 'Trouble' }).click();
  await page.getByText('SMTP_URL is not set: nobody can reset a password').waitFor();
  await page.getByRole('group', { name: 'Queues' }).or(page.getByText('does not answer')).first().waitFor();
  await page.getByRole('button', { name: '24 hours' }).click();
  await page.getByText('Calls each ten minutes', { exact: true }).waitFor();
  await expectGood(page);
});
