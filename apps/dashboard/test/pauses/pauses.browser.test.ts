import { createWorld, createWorldModule } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairDemoWorld, startDashboard } from '../dashboard.ts';
import type { Person, TestDashboard } from '../dashboard.ts';
import { expectGood } from '../faults.ts';

let dashboard: TestDashboard;
let person: Person;
let world: Awaited<ReturnType<typeof pairDemoWorld>>;
let clientId: string;
const storage = memoryStorage();

beforeAll(async () => {
  dashboard = await startDashboard({ config: { shortestServiceMs: 0 } });
  person = await dashboard.newPerson();
  await person.register();
  world = await pairDemoWorld(person, dashboard.url, createWorld({ seed: 1 }), storage);
  ({ clientId } = world);
});
afterAll(async () => {
  world.close();
  await dashboard.stop();
});

test('a person pauses a world in the list, tries a call all the same, and lifts the pause on its page', async () => {
  const { page } = person;
  await page.goto('/dashboard/worlds');
  await page.getByRole('button', { name: /^Pause / }).click();
  await page.getByRole('button', { name: /^Resume / }).waitFor();
  await page.locator('.state', { hasText: 'Paused' }).waitFor();
  await expectGood(page);

  await page.goto(`/dashboard/try?world=${clientId}&operation=players`);
  await page.getByRole('button', { name: 'Send call' }).click();
  await page.getByText('is paused.', { exact: false }).first().waitFor();
  await page.locator('.answer').getByText('403').first().waitFor();
  await page.getByRole('button', { name: 'Send all the same' }).click();
  await expectGood(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Send all the same' }).click();
  await page.locator('.answer').getByText('200').first().waitFor();
  // The next call is asked for anew.
  await page.getByRole('button', { name: 'Send call' }).click();
  await page.locator('.answer').getByText('403').first().waitFor();

  await page.goto(`/dashboard/worlds/${clientId}`);
  await page.getByText(/^Paused here/).waitFor();
  await expectGood(page);
  await page.getByRole('button', { name: /^Resume / }).click();
  await page.getByText(/^Paused here/).waitFor({ state: 'detached' });
});

test('a pause of the tabletop shows at once as the tabletop’s, and cannot be lifted here', async () => {
  const { page } = person;
  await page.goto(`/dashboard/worlds/${clientId}`);
  await page.getByRole('button', { name: /^Pause / }).waitFor();
  await world.setPause(true, { userName: 'Ada' });
  await page.getByText(/^Paused in the tabletop by Ada/).waitFor();
  await page.getByText('It is lifted in the tabletop.').waitFor();
  await page.getByRole('button', { name: 'Pause The Sunken Chapel', exact: true }).waitFor();
  await expectGood(page);
  await world.setPause(false);
  await page.getByText(/^Paused in the tabletop/).waitFor({ state: 'detached' });
  expect(person.trespasses).toEqual([]);
});

test('a browser that waits stands on the page of its world, and serves at a press there', async () => {
  const { page } = person;
  const openBrowser = async (): Promise<TabletopModule> => {
    const module = createWorldModule(createWorld({ seed: 1 }), {
      url: dashboard.url,
      storage,
      standby: true,
    });
    await module.connect();
    return module;
  };
  const list = page.getByRole('heading', { name: 'Waiting' });
  const press = () => page.getByRole('button', { name: /^Serve from here: / }).click();
  const gone = await openBrowser();
  expect(gone.status.state).toBe('standby');
  await page.goto(`/dashboard/worlds/${clientId}`);
  await list.waitFor();
  await page.getByText(/^Waits since .* from 127\.0\.0\.1$/).waitFor();
  await expectGood(page);
  gone.close();
  await press();
  await page.getByText('That browser does not wait for the world any more.', { exact: false }).waitFor();
  await expectGood(page);

  const next = await openBrowser();
  await page.reload();
  await press();
  await list.waitFor({ state: 'detached' });
  await page.getByText(/serves the world now\.$/).waitFor({ state: 'attached' });
  expect(next.status.state).toBe('connected');
  await expectGood(page);
  expect(person.trespasses).toEqual([]);
  next.close();
});
