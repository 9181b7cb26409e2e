import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairDemoWorld, startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';
import { faultsIn, widthBeyondPage } from './faults.ts';

let dashboard: TestDashboard;
let person: Person;
let asking: TabletopModule;
let asked: TabletopModule;

beforeAll(async () => {
  dashboard = await startDashboard();
  person = await dashboard.newPerson();
  await person.register();
  asking = await pairDemoWorld(person, dashboard.url);
  asked = await pairDemoWorld(person, dashboard.url);
});
afterAll(async () => {
  asking.close();
  asked.close();
  await dashboard.stop();
});

const idOf = ({ status }: TabletopModule): string => (status.state === 'connected' ? status.clientId : '');
const ask = (parameters = {}) =>
  asking.remoteRequest(idOf(asked), 'players', parameters).then(
    () => 'ok',
    ({ code }: { code: string }) => code,
  );

test('a game master allows a browser to act on another world, reads what it asked, and takes it back', async () => {
  const { page } = person;
  await page.goto(`/dashboard/worlds/${idOf(asked)}`);
  await page.getByText('Rename or forget').click();
  await page.getByLabel('Name of this world').fill('The Attic');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Name saved.').waitFor({ state: 'attached' });
  expect(await ask()).toBe('scope_missing');

  await page.goto(`/dashboard/worlds/${idOf(asking)}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('The Attic').check();
  await page.getByLabel('See the players of your world').check();
  expect(await faultsIn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save browser' }).click();
  await page.getByText('In The Attic its module may:').waitFor();
  await page.getByText('See the players of your world').waitFor();
  await expect.poll(() => ask()).toBe('ok');
  expect(await asking.knownClients()).toMatchObject({
    tokenAllowedTargets: [idOf(asked)],
    tokenScopes: ['user:read'],
  });

  await page.getByRole('button', { name: 'Edit' }).click();
  expect(await page.getByText('macro:write', { exact: true }).count()).toBe(1);
  await page.getByLabel('As one user of each world').check();
  await page.getByText('Choose who it acts as in each world.').waitFor();
  expect(await page.getByText('macro:write', { exact: true }).count()).toBe(0);
  await page.getByLabel('In The Attic').selectOption('Cleo');
  expect(await faultsIn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save browser' }).click();
  await page.getByText('In The Attic its module may, as the users that you chose:').waitFor();
  await expect.poll(() => ask({ userId: 'ada' })).toBe('acting_user_fixed');
  expect(await ask({ userId: 'cleo' })).toBe('ok');

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('The Attic', { exact: true }).uncheck();
  await page.getByRole('button', { name: 'Save browser' }).click();
  await page.getByText('In The Attic its module may:').waitFor({ state: 'detached' });
  await expect.poll(() => ask()).toBe('client_not_found');

  await page.goto('/dashboard/activity');
  await page.getByLabel('Show').selectOption('Between worlds');
  const entries = page.locator('.entry summary');
  await expect.poll(() => entries.count()).toBeGreaterThanOrEqual(3);
  await page
    .getByText(/asked The Attic for players and was answered\.$/)
    .first()
    .waitFor();
  await page.getByLabel('Outcome').selectOption('client_not_found');
  await page
    .getByText(/asked The Attic for players, but its browser may not act there\.$/)
    .first()
    .waitFor();
  await expect.poll(() => page.getByText(/and was answered\.$/).count()).toBe(0);
  await entries.first().click();
  expect(await faultsIn(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => widthBeyondPage(page)).toBeLessThanOrEqual(0);
  expect(person.trespasses).toEqual([]);
});
