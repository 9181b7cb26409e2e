import { startDemoWorld } from '@tabletop-relay/demo-world';
import type { DemoWorld } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import { startRedis } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost } from '../../browser-host/test/host.ts';
import type { BrowserHost } from '../../browser-host/src/index.ts';
import { startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';
import { expectGood } from './faults.ts';
import { press } from './owner.ts';

const outboundAllow = ['127.0.0.0/8', '::1/128'];
const password = 'the tabletop’s own';

let redis: TestRedis;
let dashboard: TestDashboard;
let host: BrowserHost;
let world: DemoWorld;
let person: Person;
let page: Page;

beforeAll(async () => {
  redis = await startRedis();
  dashboard = await startDashboard({ redis: [redis.url], config: { outboundAllow } });
  const { databaseUrl } = dashboard.instances;
  host = await startTestHost({ databaseUrl, redisUrl: [redis.url], outboundAllow });
  world = await startDemoWorld({
    relayUrl: dashboard.url,
    storage: memoryStorage(),
    passwords: { Ada: password },
  });
  person = await dashboard.newPerson();
  ({ page } = person);
  await person.register();
});

afterAll(async () => {
  await host.stop();
  await world.close();
  await dashboard.stop();
  await redis.stop();
});

const row = (state: string) => page.locator('.session', { has: page.getByText(state, { exact: true }) });

async function start(given: string, { keepsConsole = false } = {}): Promise<void> {
  await page.goto('/dashboard/sessions/new');
  await page.getByLabel('Address of the tabletop').fill(new URL('login', world.url).href);
  await page.getByLabel('User', { exact: true }).fill('Ada');
  await page.getByLabel('Password of the user').fill(given);
  if (keepsConsole) await page.getByLabel('Keep what the page writes').check();
  await press(page, 'Host world');
  await page.getByRole('heading', { name: 'Hosted worlds' }).waitFor();
}

test('without a session the page says what one is, and leads to the form', async () => {
  await page.goto('/dashboard/sessions');
  await page.getByText('No hosted worlds yet').waitFor();
  await expectGood(page);
  await page.locator('.empty').getByRole('link', { name: 'Host a world' }).click();
  await page.getByLabel('Address of the tabletop').waitFor();
  await expectGood(page);
});

test('a session is started with a password that leaves the page encrypted, and shown to its end', async () => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await start(password, { keepsConsole: true });
  await row('Starting').or(row('Running')).waitFor();
  await row('Running').waitFor();
  expect(sent.some((request) => request.includes('encryptedPassword'))).toBe(true);
  expect(sent.join('\n')).not.toContain(password);
  expect(decodeURIComponent(sent.join('\n'))).not.toContain(password);

  await page.getByRole('button', { name: 'Picture of the page now' }).click();
  const image = page.getByRole('img', { name: 'The page of The Sunken Chapel' });
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1280);
  await page.getByText('Console of the page').click();
  await page.getByText('Nothing was written').or(page.getByRole('log')).waitFor();
  await expectGood(page);

  await page.getByRole('link', { name: 'The Sunken Chapel' }).click();
  await page.getByText('The relay hosts this world, as Ada.').waitFor();
  await expectGood(page);
  await press(page, 'Stop hosting');
  await page.getByRole('dialog').getByRole('button', { name: 'Stop hosting' }).click();
  await page.getByText('The relay hosts this world').waitFor({ state: 'detached' });
  await page.goto('/dashboard/sessions');
  await row('Ended').getByText('Ended in the dashboard.').waitFor();
  expect(person.trespasses).toEqual([]);
});

test('a failed one stays with its stage, what the page said, and its picture', async () => {
  await start('wrong');
  const failed = row('Failed');
  await failed.getByText('Stopped at: Logging in (2 of 5)').waitFor();
  await failed.getByText('That is not the password').waitFor();
  await failed.getByRole('button', { name: 'What the page showed' }).click();
  await failed.getByRole('img').waitFor();
  await page.getByRole('heading', { name: 'Over in the last 24 hours' }).waitFor();
  await expectGood(page);
});

test('a field that the relay refuses says so itself, and nothing starts', async () => {
  await page.goto('/dashboard/sessions/new');
  await page.getByLabel('Address of the tabletop').fill('ftp://tabletop.example');
  await page.getByLabel('User', { exact: true }).fill('Ada');
  await press(page, 'Host world');
  await page.getByText('The address of the tabletop must be an http or https address.').first().waitFor();
});

test('over plain http, where browsers do not encrypt, nothing can be sent', async () => {
  const other = await page.context().newPage();
  await other.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
  await other.goto('/dashboard/sessions/new');
  await other.getByText('This page came over plain http.').waitFor();
  expect(await other.getByRole('button', { name: 'Host world' }).isDisabled()).toBe(true);
  await other.close();
});
