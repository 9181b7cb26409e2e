import { operations } from '@tabletop-relay/contract';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairDemoWorld, startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';
import { expectGood, widthBeyondPage } from './faults.ts';

let dashboard: TestDashboard;
let stranger: Person;
let master: Person;
let world: TabletopModule;
const complaints: string[] = [];

beforeAll(async () => {
  dashboard = await startDashboard();
  stranger = await dashboard.newPerson();
  stranger.page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  master = await dashboard.newPerson();
  await master.register();
  world = await pairDemoWorld(master, dashboard.url);
});
afterAll(async () => {
  world.close();
  await dashboard.stop();
});

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

test.each([
  '/docs',
  '/docs/skill-check',
  '/docs/pollKeyRequest',
  '/guides',
  '/guides/your-first-bot',
  '/guides/game-masters',
  '/errors',
  '/errors/client_required',
])(
  'axe finds nothing on %s in either theme, it fits a phone, and browsers have no complaint',
  async (address) => {
    const { page, trespasses } = stranger;
    await open(page, address);
    await expectGood(page);
    expect([...trespasses, ...complaints]).toEqual([]);
  },
);

test('the page with a hundred settings fits a phone', async () => {
  const { page, trespasses } = stranger;
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '/guides/configuration');
  await expect.poll(() => widthBeyondPage(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect([...trespasses, ...complaints]).toEqual([]);
});

test('the reference lists every operation, and the search of every docs page finds calls, guides and errors', async () => {
  const { page } = stranger;
  await open(page, '/docs');
  for (const { name } of operations)
    await page.locator(`.contents a[href="/docs/${name}"]`).waitFor({ state: 'attached' });
  const search = async (query: string) => {
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).fill(query);
    return page.getByRole('option');
  };
  // Not one of a guide whose title begins so: who searches here writes a program.
  await (await search('roll')).first().getByText('Operation').waitFor();
  await page.keyboard.press('Escape');
  // Its end is heard of a moment after the key: no hand is so fast.
  await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' });
  await (await search('skill check')).first().getByText('Roll a skill check').waitFor();
  await expectGood(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Roll a skill check' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/docs/skill-check');
  await page.getByText('prc').first().waitFor();
  await (await search('device flow')).getByText('Integrations: Device flow').click();
  await page.getByRole('heading', { name: 'Device flow' }).waitFor();
  // A guide has the search of the reference, in the header of a phone too.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox', { name: 'Search' }).fill('client_offline');
  await page
    .getByRole('option', { name: /Error$/ })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/errors/client_offline');
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('the search finds each call of the document, and leads to its page', async () => {
  const read = async (path: string) => (await (await fetch(dashboard.url + path)).json()) as unknown;
  const { paths } = (await read('/openapi.json')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const calls = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => `/docs/${operationId}`),
  );
  const found = ((await read('/guides/index.json')) as { href: string }[]).map(({ href }) => href);
  expect(found.filter((href) => href.startsWith('/docs/')).toSorted()).toEqual(calls.toSorted());
});

test('who is signed in does from the docs what the dashboard’s search does', async () => {
  const { page } = master;
  await open(page, '/guides');
  const search = async (query: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(query);
  };
  await search('pause sunken');
  await page.getByRole('option', { name: /^Pause The Sunken Chapel/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('The Sunken Chapel is paused.').waitFor({ state: 'attached' });
  await search('resume sunken');
  await page.getByRole('option', { name: /^Resume The Sunken Chapel/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('no longer paused').waitFor({ state: 'attached' });
  await search('create a key');
  await page.getByRole('option', { name: /^Create a key/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/keys/new');
});

test('a parameter stands once, and each error leads to its page', async () => {
  const { page } = stranger;
  await open(page, '/docs/skill-check');
  const names = await page.locator('.fields').first().locator('.field-name').allInnerTexts();
  expect(names.slice(0, 2)).toEqual(['actorUuid', 'skill']);
  expect(new Set(names).size).toBe(names.length);
  await page.getByRole('link', { name: 'client_offline' }).click();
  await page.getByRole('heading', { level: 1, name: 'The world is offline' }).waitFor();
  await page.getByText('"lastSeen"').waitFor();
});

test('the call of who is signed in runs as it stands there', async () => {
  const { page } = master;
  await open(page, '/dashboard');
  await open(page, '/docs/skill-check');
  await page.getByLabel('Your world', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Fill in a key for an hour' }).click();
  await page.getByText('It ends after an hour').waitFor();
  const line = await page.locator('section[aria-label="The call"] pre').innerText();
  const [url = '', key = '', body = ''] = [/'(http[^']+)'/, /x-api-key: (\w+)/, /-d '([^']+)'/].map(
    (pattern) => pattern.exec(line)?.[1],
  );
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ type: 'skill-check-result' });
  await page.getByRole('link', { name: 'Try it' }).click();
  await page.getByRole('heading', { name: 'Try it' }).waitFor();
  expect(await page.getByLabel('Operation').inputValue()).toBe('skill-check');
});

test('the first call of the start page runs there', async () => {
  const { page, trespasses } = master;
  await open(page, '/docs');
  await page.getByRole('button', { name: 'Run it' }).click();
  await page.getByText('"type": "world-info-result"').waitFor();
  expect(await page.locator('section[aria-label="A first call"] pre').innerText()).toContain('trk_');
  for (const heading of ['Authentication', 'Choosing the world', 'Errors', 'Limits', 'Repeating'])
    await page.getByRole('heading', { level: 2, name: heading, exact: true }).waitFor();
  await expectGood(page);
  expect(trespasses).toEqual([]);
});

test('the docs show strangers the way in, and who is signed in their account and the way out', async () => {
  await open(stranger.page, '/guides');
  expect(await stranger.page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
    '/dashboard/sign-in',
  );
  const person = await dashboard.newPerson();
  await person.register();
  const { page } = person;
  for (const address of ['/docs', '/errors']) {
    await open(page, address);
    await page.getByRole('button', { name: `Account of ${person.email}` }).waitFor();
  }
  await page.getByRole('button', { name: `Account of ${person.email}` }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await open(page, '/docs');
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  expect(person.trespasses).toEqual([]);
  await page.context().close();
});

test('the reference weighs less than 300 KB with its document, and a guide less than 60', async () => {
  const { page } = await dashboard.newPerson();
  const weigh = async (address: string) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(address);
    await page.waitForLoadState('networkidle');
    await session.detach();
    return bytes;
  };
  const [reference, guide] = [await weigh('/docs/skill-check'), await weigh('/guides/configuration')];
  expect(reference).toBeGreaterThan(40_000);
  expect(reference).toBeLessThan(300_000);
  expect(guide).toBeLessThan(60_000);
});
