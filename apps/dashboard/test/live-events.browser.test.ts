import { createWorld } from '@tabletop-relay/demo-world';
import type { World } from '@tabletop-relay/demo-world';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairDemoWorld, startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';
import { faultsIn, widthBeyondPage } from './faults.ts';

let dashboard: TestDashboard;
let person: Person;
let page: Page;
let world: World;
let module: TabletopModule;

beforeAll(async () => {
  dashboard = await startDashboard();
  person = await dashboard.newPerson();
  ({ page } = person);
  await person.register();
  world = createWorld({ seed: 1 });
  module = await pairDemoWorld(person, dashboard.url, world);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'The Sunken Chapel' }).click();
});

afterAll(async () => {
  module.close();
  await dashboard.stop();
});

const events = () => page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem');
const names = () => page.locator('.tail-list strong').allInnerTexts();

test('the page of a world follows its events once it is asked to, and shows those that are wanted', async () => {
  expect(module.listeners('combat')).toBe(0);
  await page.getByRole('button', { name: 'Follow events' }).click();
  await page.locator('.tail').getByText('Live', { exact: true }).waitFor();
  await expect.poll(() => module.listeners('rolls')).toBe(1);
  await page
    .getByText('Programs follow this world’s events now: combat by 1, chat by 1, rolls by 1.')
    .waitFor();
  expect(module.listeners('scene')).toBe(0);

  world.perform({ kind: 'operation', name: 'next-turn', parameters: {} });
  world.perform({ kind: 'roll', formula: '2d6 + 3', actorUuid: 'Actor.mira' });
  await expect
    .poll(names)
    .toEqual(expect.arrayContaining(['combat-turn', 'chat-create', 'roll', 'connected']));

  await page.getByRole('searchbox').fill('2d6');
  await expect.poll(() => events().count()).toBe(2);
  await events().first().locator('summary').click();
  await expect.poll(() => events().first().locator('pre').innerText()).toContain('"2d6 + 3"');
  await page.getByRole('searchbox').fill('');

  await page.getByRole('button', { name: 'Hold' }).click();
  const before = await events().count();
  world.perform({ kind: 'say', text: 'Behind the altar!' });
  await page.getByRole('button', { name: 'Go on (1 new)' }).waitFor();
  expect(await events().count()).toBe(before);
  await page.getByRole('button', { name: 'Go on (1 new)' }).click();
  await expect.poll(() => events().first().innerText()).toContain('chat-create');
});

test.each([1280, 390])('axe finds nothing in either theme at %i wide, and it fits', async (width) => {
  await page.setViewportSize({ width, height: 844 });
  expect(await faultsIn(page)).toEqual([]);
  expect(await widthBeyondPage(page)).toBeLessThanOrEqual(0);
});

test('leaving the page ends its streams, and its key is one of the account’s', async () => {
  const open = () => dashboard.instances.instances[0].registry.metrics();
  expect(await open()).toMatch(/relay_open_streams\{channel="combat"\} 1/);
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('button', { name: 'Show' }).click();
  await page
    .getByText(/^Live events: /)
    .first()
    .waitFor();
  await expect.poll(open).toMatch(/relay_open_streams\{channel="combat"\} 0/);
  expect(person.trespasses).toEqual([]);
});
