import { pollKeyRequest, requestKey } from '@tabletop-relay/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairDemoWorld, startDashboard } from '../dashboard.ts';
import type { Person, TestDashboard } from '../dashboard.ts';
import { faultsIn, widthBeyondPage } from '../faults.ts';

let dashboard: TestDashboard;
let person: Person;
let world: Awaited<ReturnType<typeof pairDemoWorld>>;
let clientId: string;

beforeAll(async () => {
  dashboard = await startDashboard();
  person = await dashboard.newPerson({ viewport: { width: 1440, height: 900 } });
  await person.register();
  world = await pairDemoWorld(person, dashboard.url);
  ({ clientId } = world);
});
afterAll(async () => {
  world.close();
  await dashboard.stop();
});

/** What axe finds on the page as it is, and whether a phone shows all of it. */
async function look(): Promise<void> {
  const { page } = person;
  expect(await faultsIn(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => widthBeyondPage(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('a key is made for one user of a world, says so on its page, and loses what goes beyond a user', async () => {
  const { page, trespasses } = person;
  await page.goto(`/dashboard/keys/new?world=${clientId}`);
  await page.getByLabel('Name', { exact: true }).fill('For Cleo');
  await page.getByText('Everything', { exact: true }).click();
  await page.getByLabel('As one user of each world').check();
  await page.getByText('Choose who it acts as in each world.').waitFor();
  expect(await page.getByText('macro:write', { exact: true }).count()).toBe(0);
  await page.getByLabel('In The Sunken Chapel').selectOption('Cleo');
  await look();
  await page.getByRole('button', { name: 'Create key' }).click();
  const apiKey = await page.locator('.secret-value code').innerText();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  const called = async (path: string) =>
    (await fetch(`${dashboard.url}${path}`, { headers: { 'x-api-key': apiKey } })).status;
  expect(await called('/get?uuid=Actor.borin')).toBe(200);
  expect(await called('/get?uuid=Actor.ghoul')).toBe(422);
  await page.getByText('The Sunken Chapel as cleo').waitFor();
  await page.getByRole('link', { name: 'For Cleo' }).click();
  await page.getByText('acts as Cleo').waitFor();
  await look();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('In The Sunken Chapel').selectOption('Ben');
  await look();
  await page.getByRole('button', { name: 'Save key' }).click();
  await page.getByText('acts as Ben').waitFor();
  expect(trespasses).toEqual([]);
});

test('a program that asks to act as a user is let in as that one or another', async () => {
  const { page } = person;
  const asked = await requestKey({
    url: dashboard.url,
    appName: 'Player’s companion',
    scopes: ['entity:read', 'user:read'],
    clientIds: [clientId],
    actingUserId: 'cleo',
  });
  const collected = pollKeyRequest({ url: dashboard.url, ...asked, intervalMs: 200 });
  await page.goto(asked.approvalUrl);
  await page.getByText('It asks to act as a user of your world').waitFor();
  const choice = page.getByLabel('In The Sunken Chapel');
  await expect.poll(() => choice.inputValue()).toBe('cleo');
  await look();
  await choice.selectOption('Dev');
  await page.getByRole('button', { name: 'Approve' }).click();
  expect(await collected).toMatchObject({ clientIds: [clientId], actingUserId: 'dev' });
});

test('of a world that is offline the page knows the user by the id', async () => {
  const { page } = person;
  world.close();
  await page.goto('/dashboard/keys');
  await page.getByRole('link', { name: 'For Cleo' }).click();
  await page.getByText('acts as').waitFor();
  await expect.poll(() => page.getByText(/acts as\s+ben/).count()).toBe(1);
  await page.getByRole('link', { name: 'Edit' }).click();
  expect(await page.getByLabel('In The Sunken Chapel').inputValue()).toBe('ben');
  await page.getByText('The world does not answer right now.').waitFor();
  await look();
});
