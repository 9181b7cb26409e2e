import { createWorld, createWorldModule } from '@tabletop-relay/demo-world';
import type { World } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';
import { axeOn, faultsIn, widthBeyondPage } from './faults.ts';

let dashboard: TestDashboard;
let account: TestAccount;
let person: Person;
let page: Page;
let world: World;
let module: TabletopModule;
let clientId: string;
let apiKey: string;
/** What the page wrote to the console as an error or a warning. */
let complaints: string[];
/** Every address that the page asked for, as it went over the line. */
let asked: string[];

beforeAll(async () => {
  dashboard = await startDashboard();
  account = await createAccount(dashboard.url);
});
afterAll(() => dashboard.stop());

beforeEach(async () => {
  const { url } = dashboard;
  world = createWorld({ seed: 7 });
  const storage = memoryStorage();
  module = createWorldModule(world, { url, storage });
  const { code } = (await account.as('POST', '/auth/pairing-codes', {})).body;
  await module.pair({ relayUrl: url, code: String(code) });
  await module.connect();
  clientId = (await storage.load()).clientId ?? '';
  // As the page that builds overlays makes them: for one world, for one of its players, and only reading.
  const made = await account.as('POST', '/auth/api-keys', {
    name: 'Stream overlay',
    scopes: ['encounter:read', 'events:subscribe', 'entity:read'],
    clientIds: [clientId],
    actingUserId: 'ben',
  });
  apiKey = String(made.body['apiKey']);
  [complaints, asked] = [[], []];
  person = await dashboard.newPerson();
  ({ page } = person);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('request', (request) => asked.push(request.url()));
});

afterEach(async () => {
  await page.context().close();
  module.close();
});

const openOverlay = (more = '') => page.goto(`/overlay#client=${clientId}&key=${apiKey}${more}`);

const combatants = () => page.locator('.fight li');
const current = () => page.locator('.fight li[aria-current]');
const status = () => page.getByRole('status');

test('shows fight, hit points and the last roll as a player sees them, and follows them by its key alone', async () => {
  await openOverlay();
  await expect
    .poll(() => combatants().allInnerTexts())
    .toContainEqual(expect.stringMatching(/^17\s+Mira Thornwood\s+27\s*\/27/));
  await expect.poll(() => current().innerText()).toContain('Mira');
  const names = await page.locator('.fight .name').allInnerTexts();
  expect(names[0]).not.toBe(names.at(-1));

  world.perform({ kind: 'operation', name: 'next-turn', parameters: {} });
  await expect.poll(() => current().innerText()).toContain('Ghoul');
  // What players do not know of monsters, viewers do not either.
  expect(await combatants().filter({ hasText: 'Ghoul' }).first().innerText()).not.toMatch(/\/22/);
  world.perform({ kind: 'damage', actorUuid: 'Actor.mira', amount: 14 });
  await expect.poll(() => combatants().filter({ hasText: 'Mira' }).innerText()).toMatch(/13\s*\/27/);
  world.perform({ kind: 'roll', formula: '2d6 + 3', actorUuid: 'Actor.mira' });
  await expect
    .poll(() => page.getByRole('region', { name: 'Last roll' }).innerText())
    .toMatch(/\d+\s+Mira Thornwood\s+Roll 2d6 \+ 3/);

  expect(asked.filter((address) => address.includes('trk_'))).toEqual([]);
  // Who may not be read is asked for once: each refusal stands in the log of calls.
  const read = asked.filter((address) => address.includes('/get?'));
  expect(read).toEqual([...new Set(read)]);
  expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
  expect(person.trespasses).toEqual([]);
});

test('shows monsters in words where their hit points may be seen, in numbers only where that was chosen', async () => {
  const master = await account.as('POST', '/auth/api-keys', {
    name: 'As the master',
    scopes: ['encounter:read', 'events:subscribe', 'entity:read'],
    clientIds: [clientId],
  });
  apiKey = String(master.body['apiKey']);
  await openOverlay();
  const ghoul = () => combatants().filter({ hasText: 'Ghoul' }).first();
  await expect.poll(() => ghoul().innerText()).toMatch(/Unhurt|Hurt|Bloodied/);
  world.perform({ kind: 'hide-token', tokenUuid: 'Scene.chapel.Token.ghoul', hidden: true });
  await expect.poll(() => page.locator('.fight .name').allInnerTexts()).not.toContain('Ghoul');
  await openOverlay('&monsters=numbers&size=150');
  await expect.poll(() => page.locator('.fight').innerText()).toMatch(/\/22/);
});

test('says that the world is away, and shows the fight again when it is back', async () => {
  await openOverlay();
  await combatants().first().waitFor();
  module.close();
  await expect.poll(() => status().innerText()).toBe('The world is away');
  await module.connect();
  await expect.poll(() => status().innerText()).toBe('');
  world.perform({ kind: 'operation', name: 'next-turn', parameters: {} });
  await expect.poll(() => current().innerText()).toContain('Ghoul');
});

/** Opens a page of another origin, without a policy. */
async function openElsewhere(): Promise<void> {
  const elsewhere = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<title>Elsewhere</title>');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    elsewhere.closeAllConnections();
    elsewhere.close();
  });
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
}

test('a page of another origin may continue a stream', async () => {
  await openElsewhere();
  const status = await page.evaluate(
    async ([stream, key]) => {
      const headers = { 'x-api-key': key ?? '', 'last-event-id': 'none' };
      const answer = await fetch(stream ?? '', { headers });
      await answer.body?.cancel();
      return answer.status;
    },
    [`${dashboard.url}/chat/subscribe`, apiKey],
  );
  expect(status).toBe(200);
});

test('an EventSource on another origin follows by a ticket, and comes back by itself with nothing missed', async () => {
  const whole = await account.as('POST', '/auth/api-keys', {
    name: 'Rolls',
    scopes: ['events:subscribe'],
    clientIds: [clientId],
  });
  await openElsewhere();
  const { body } = await call(dashboard.url, 'POST', '/events/tickets', {
    headers: { 'x-api-key': String(whole.body['apiKey']) },
    body: { path: '/rolls/subscribe', query: {} },
  });
  await page.evaluate((address) => {
    const heard: string[] = [];
    const source = new EventSource(address);
    source.addEventListener('connected', ({ data }: MessageEvent<string>) => {
      heard.push(`recovered: ${(JSON.parse(data) as { recovered: boolean }).recovered}`);
    });
    source.addEventListener('roll', ({ data }: MessageEvent<string>) => {
      heard.push((JSON.parse(data) as { formula: string }).formula);
    });
    Object.assign(globalThis, { heard });
  }, String(body['url']));
  const heard = () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
  const roll = (formula: string) => world.perform({ kind: 'roll', formula, actorUuid: 'Actor.mira' });
  await expect.poll(heard).toEqual(['recovered: false']);
  roll('1d4');
  await expect.poll(heard).toEqual(['recovered: false', '1d4']);
  // The module's socket is none of these connections: it was upgraded.
  dashboard.instances.instances[0].relay.app.server.closeAllConnections();
  roll('1d6');
  await expect.poll(heard).toEqual(['recovered: false', '1d4', 'recovered: true', '1d6']);
  expect(asked.filter((address) => address.includes('trk_'))).toEqual([]);
});

test('axe finds nothing on the overlay, and without a key it leads to the page that builds one', async () => {
  await openOverlay();
  await page.setViewportSize({ width: 390, height: 844 });
  await combatants().first().waitFor();
  const faults = async () => (await axeOn(page).disableRules(['page-has-heading-one']).analyze()).violations;
  expect((await faults()).map(({ id }) => id)).toEqual([]);
  await page.goto('/overlay');
  await page.reload();
  await page.getByRole('heading', { name: 'A stream overlay' }).waitFor();
  expect(await faultsIn(page)).toEqual([]);
});

test('the dashboard builds one: a preview on the world as it is, and an address whose key reads as one player', async () => {
  await page.context().addCookies([{ name: 'trs', value: account.sessionToken, url: dashboard.url }]);
  await page.goto('/dashboard/overlay');
  const user = page.getByLabel('Viewers see what this user sees');
  await expect.poll(() => user.inputValue()).toBe('ben');
  await page.locator('.film .fight li').first().waitFor();
  world.perform({ kind: 'operation', name: 'next-turn', parameters: {} });
  await expect.poll(() => page.locator('.film li[aria-current]').innerText()).toContain('Ghoul');
  expect(await faultsIn(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => widthBeyondPage(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await user.selectOption('cleo');
  await page.getByLabel('Those of monsters').selectOption('In numbers');
  await page.getByRole('button', { name: 'Make its address' }).click();
  const address = await page.locator('.secret-value code').innerText();
  expect(await faultsIn(page)).toEqual([]);
  const { body } = await account.as('GET', '/auth/api-keys');
  const [made] = (body['items'] as Record<string, unknown>[]).filter(
    ({ name }) => name === 'Stream overlay: The Sunken Chapel',
  );
  expect(made).toMatchObject({
    clientIds: [clientId],
    actingUserId: 'cleo',
    scopes: ['encounter:read', 'events:subscribe', 'entity:read'],
  });
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  expect(new URL(address).hash).toContain('monsters=numbers');
  await page.context().clearCookies();
  await page.goto(address);
  await combatants().first().waitFor();
  expect(person.trespasses).toEqual([]);
});
