import { requestKey } from '@tabletop-relay/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestProgram, connect } from '../../relay/test/oauth/program.ts';
import { openPaths, signedInPaths } from '../src/page-paths.ts';
import { askedTwice, noteAsked } from './asked.ts';
import { pairDemoWorld, startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';
import { expectGood, faultsIn } from './faults.ts';

let dashboard: TestDashboard;
let master: Person;
let stranger: Person;
let world: Awaited<ReturnType<typeof pairDemoWorld>>;
/** The addresses of the pages that need ids. */
const addresses: Record<string, string> = {};

beforeAll(async () => {
  dashboard = await startDashboard();
  [master, stranger] = [await dashboard.newPerson(), await dashboard.newPerson()];
  await master.register();
  world = await pairDemoWorld(master, dashboard.url);
  const { page } = master;
  addresses['world'] = `/dashboard/worlds/${world.clientId}`;
  for (const preset of ['Everything', 'Script']) {
    await page.goto('/dashboard/keys/new');
    await page.getByLabel('Name', { exact: true }).fill(preset);
    await page.getByText(preset, { exact: true }).click();
    // The second one is at its limit afterwards, so that something needs attention.
    await page.getByLabel('Monthly limit').fill('1');
    await page.getByRole('button', { name: 'Create key' }).click();
    const apiKey = await page.locator('.secret-value code').innerText();
    await fetch(`${dashboard.url}/players`, { headers: { 'x-api-key': apiKey } });
    await page.getByRole('button', { name: 'I have stored it' }).click();
  }
  await page.goto('/dashboard/try');
  await page.getByRole('button', { name: 'Send call' }).click();
  await page.locator('.json').waitFor();
  await page.goto('/dashboard/keys');
  addresses['key'] =
    (await page.getByRole('link', { name: 'Everything' }).first().getAttribute('href')) ?? '';
  const asked = await requestKey({
    url: dashboard.url,
    appName: 'Combat Lights',
    appUrl: 'https://lights.example.com',
    scopes: ['encounter:read', 'sys5e:write'],
    callbackUrl: 'https://hooks.example.net/callback',
  });
  addresses['approve'] = new URL(asked.approvalUrl).pathname;
  const assistant = new TestProgram();
  await connect(dashboard.url, assistant);
  await page.goto(String(assistant.ledTo));
  await page.getByRole('heading', { level: 1, name: /claude.ai/ }).waitFor();
  const consent = new URL(page.url());
  addresses['consent'] = consent.pathname + consent.search;
});

afterAll(async () => {
  world.close();
  await dashboard.stop();
});

type Act = (page: Page) => Promise<unknown>;
const click =
  (name: string): Act =>
  (page) =>
    page.getByRole('button', { name }).first().click();

const strangersPages: [string, string][] = [
  ['sign in', '/dashboard/sign-in'],
  ['sign-in by a link', '/dashboard/sign-in#link=x'],
  ['register', '/dashboard/register'],
  ['forgotten password', '/dashboard/forgot-password'],
  ['new password', '/dashboard/reset-password#trr_x'],
  ['confirmation', '/dashboard/confirm-email#trr_x'],
  ['a sign-in that is refused', '/oauth/refused?why=client_unknown'],
];

const mastersPages: [string, () => string, Act?][] = [
  ['the home', () => '/dashboard', (page) => page.locator('.plot canvas').first().waitFor()],
  ['figures as tables', () => '/dashboard?time=week', (page) => page.getByText('As a table').first().click()],
  ['worlds', () => '/dashboard/worlds'],
  ['a world', () => addresses['world'] ?? ''],
  ['a browser being edited', () => addresses['world'] ?? '', click('Edit')],
  ['pairing', () => '/dashboard/pair'],
  [
    'a code',
    () => '/dashboard/pair',
    async (page) => {
      await click('Make a code')(page);
      await page.locator('.code-value .visually-hidden').waitFor();
    },
  ],
  ['pairing options', () => '/dashboard/pair', (page) => page.getByText('Options:').click()],
  ['sessions', () => '/dashboard/sessions'],
  ['a new session', () => '/dashboard/sessions/new'],
  ['keys', () => '/dashboard/keys'],
  ['revoking', () => '/dashboard/keys', click('Revoke')],
  ['a new key', () => '/dashboard/keys/new'],
  ['an assistant', () => '/dashboard/assistants'],
  [
    'a stream overlay',
    () => '/dashboard/overlay',
    (page) => page.getByRole('region', { name: 'Preview' }).waitFor(),
  ],
  ['a key', () => addresses['key'] ?? '', (page) => page.getByText('Called from').waitFor()],
  ['a key being edited', () => `${addresses['key'] ?? ''}/edit`],
  ['the console', () => '/dashboard/try'],
  [
    'an answer',
    () => '/dashboard/try',
    async (page) => {
      await click('Send call')(page);
      await page.locator('.json').waitFor();
    },
  ],
  [
    'a call',
    () => '/dashboard/activity?show=calls',
    async (page) => {
      await page.locator('.entry summary').first().click();
      await page.getByText('Repeat in Try it').waitFor();
    },
  ],
  ['activity', () => '/dashboard/activity', (page) => page.locator('.entry summary').first().click()],
  ['notifications', () => '/dashboard/notifications', (page) => page.getByText('Add webhook').waitFor()],
  ['account', () => '/dashboard/account'],
  ['rotation', () => '/dashboard/account', click('Regenerate master key')],
  ['an authenticator app', () => '/dashboard/account/authenticator-app'],
  ['a passkey', () => '/dashboard/account/passkey'],
  ['administration, which is not theirs', () => '/dashboard/admin'],
  ['trouble, which is not theirs', () => '/dashboard/admin/trouble'],
  ['approval', () => addresses['approve'] ?? ''],
  ['an assistant that asks to be signed in', () => addresses['consent'] ?? ''],
  ['pairing by a link that is incomplete', () => '/pair/XXXXXX'],
  ['nothing', () => '/dashboard/nowhere'],
];

test.each(strangersPages)(
  'axe finds nothing on %s in either theme, and it fits a phone',
  async (_name, address) => {
    const { page, trespasses } = stranger;
    // Two addresses that differ by their fragment alone are one page to the browser.
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectGood(page);
    expect(trespasses).toEqual([]);
  },
);

test.each(mastersPages)(
  'axe finds nothing on %s in either theme, it fits a phone, and it asks for each thing once',
  async (_name, address, act) => {
    const { page, trespasses } = master;
    await page.setViewportSize({ width: 1440, height: 900 });
    // What the page before still asks for is not this one's.
    await page.goto('about:blank');
    const asked = noteAsked(page, address());
    await page.goto(address());
    await page.getByRole('heading', { level: 1 }).waitFor();
    await act?.(page);
    await expectGood(page);
    expect(trespasses).toEqual([]);
    // What was pressed, or an event of the account that came meanwhile, has a list read again. What the page does by itself it does each time.
    let twice = asked.twice();
    for (let again = 0; again < 2 && twice.length > 0; again++) {
      const found = await askedTwice(page, address());
      twice = twice.filter((one) => found.includes(one));
    }
    expect(twice).toEqual([]);
  },
);

test('axe finds what is wrong on a page and in a frame of it, and a contrast of the dark theme alone', async () => {
  const { page } = stranger;
  await page.goto('about:blank');
  await page.goto('/dashboard/sign-in');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(() => {
    const main = document.querySelector('main')!;
    main.append(document.createElement('img'));
    const faint = document.createElement('p');
    faint.textContent = 'faint by night';
    faint.style.cssText = 'color: light-dark(#000, #444); background: light-dark(#fff, #333)';
    main.append(faint);
    const frame = document.createElement('iframe');
    frame.title = 'A frame';
    main.append(frame);
    frame.contentDocument!.documentElement.lang = 'en';
    frame.contentDocument!.body.append(frame.contentDocument!.createElement('button'));
  });
  const faults = await faultsIn(page);
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(
    expect.arrayContaining(['0 image-alt', '0 button-name', '1 color-contrast']),
  );
  expect(faults.filter((fault) => fault.startsWith('0 color-contrast'))).toEqual([]);
});

test('axe looks at every page', () => {
  const addressesSeen = [
    ...strangersPages.map(([, address]) => address),
    ...mastersPages.map(([, address]) => address()),
  ].map((address) => new URL(address, dashboard.url).pathname);
  const all = [...openPaths, ...signedInPaths];
  const isAt = (path: string, address: string) =>
    new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(address);
  const seen = addressesSeen.map((address) => all.find((path) => isAt(path, address)));
  expect(all.filter((path) => !seen.includes(path))).toEqual([]);
});

test('the theme button wins over the system’s theme, also after a reload, and gives way again', async () => {
  const { page } = await dashboard.newPerson({ colorScheme: 'light' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.goto('/dashboard/sign-in');
  const light = await paper();
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect.poll(paper).not.toBe(light);
  const dark = await paper();
  await page.reload();
  await expect.poll(paper).toBe(dark);
  await page.getByRole('button', { name: 'Light theme' }).click();
  await expect.poll(paper).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(paper).toBe(dark);
});

test('copying works where the clipboard’s interface is missing, as on plain http', async () => {
  const { page } = master;
  await page.goto(addresses['world'] ?? '');
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.getByRole('button', { name: 'Copy client id' }).click();
  await page.getByRole('status').getByText('client id copied.').waitFor({ state: 'attached' });
  const clientId = (addresses['world'] ?? '').split('/').at(-1);
  await page.goto('/dashboard/keys/new');
  const name = page.getByLabel('Name', { exact: true });
  await name.press('Control+V');
  await expect.poll(() => name.inputValue()).toBe(clientId);
});

test('by keyboard alone: the pages are reached, and the focus starts at the new page’s title', async () => {
  const { page } = master;
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Keys', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.locator('h1:focus', { hasText: 'Keys' }).waitFor();
  await page.keyboard.press('Tab');
  await page.locator(':focus', { hasText: 'Connect an assistant' }).waitFor();
  await page.keyboard.press('Tab');
  await page.locator(':focus', { hasText: 'Create a key' }).waitFor();
});

test('a filter of the activity stands in the address bar and survives a reload', async () => {
  const { page } = master;
  await page.goto('/dashboard/activity');
  await page.getByLabel('Show').selectOption('Connections');
  await page.getByLabel('Outcome').selectOption('Connected');
  await page.getByText('The Sunken Chapel on a server connected.').first().waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?show=connections&outcome=connected');
  await page.reload();
  await page.getByText('The Sunken Chapel on a server connected.').first().waitFor();
  await page.getByText('The account was opened.').waitFor({ state: 'detached' });
});

test('over plain http each page says what others on the network can read; on this machine and over https none does', async () => {
  const { page } = await dashboard.newPerson();
  const warning = page.getByText('came over plain http');
  const show = async (origin: string) => {
    await page.route(`${origin}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: dashboard.url + pathname + search }) });
    });
    await page.goto(`${origin}/dashboard/sign-in`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  await show('http://relay.example');
  await warning.waitFor();
  await show('https://relay.example');
  expect(await warning.count()).toBe(0);
  await show(dashboard.url);
  expect(await warning.count()).toBe(0);
});
