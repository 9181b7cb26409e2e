import { AxeBuilder } from '@axe-core/playwright';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import { launchChromium } from '@tabletop-relay/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { call, createAccount } from '../../relay/test/account.ts';
import type { TestAccount } from '../../relay/test/account.ts';
import { startInstances } from '../../relay/test/instances.ts';
import type { TestInstances } from '../../relay/test/instances.ts';
import { startDemoWorld } from '../src/index.ts';
import type { DemoWorld } from '../src/index.ts';

let browser: Browser;
let relay: TestInstances;
let url: string;
let account: TestAccount;
let demo: DemoWorld;
let page: Page;
let key: { apiKey: string };
/** What the page wrote to the console as an error or a warning. */
let complaints: string[];
/** Every address that the page asked for, as it went over the line. */
let asked: string[];

beforeAll(async () => {
  [browser, relay] = await Promise.all([launchChromium(), startInstances()]);
  [{ url }] = relay.instances;
  account = await createAccount(url);
});

afterAll(async () => {
  await browser.close();
  await relay.stop();
});

beforeEach(async () => {
  const storage = memoryStorage();
  const { code } = (await account.as('POST', '/auth/pairing-codes', {})).body;
  demo = await startDemoWorld({
    relayUrl: url,
    storage,
    pairingCode: String(code),
    seed: 7,
  });
  await demo.module.connect();
  const { clientId = '' } = await storage.load();
  const made = await account.as('POST', '/auth/api-keys', {
    name: 'Stream overlay',
    scopes: ['events:subscribe', 'encounter:read', 'sys5e:read'],
    clientIds: [clientId],
  });
  key = made.body as typeof key;
  [complaints, asked] = [[], []];
  // axe opens a page beside it.
  page = await (await browser.newContext()).newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${demo.url}overlay#relay=${url}&client=${clientId}&key=${key.apiKey}`);
});

afterEach(async () => {
  await page.context().close();
  await demo.close();
});

const combatants = () => page.locator('.fight li');
const current = () => page.locator('.fight li[aria-current]');
const status = () => page.getByRole('status');

test('shows fight, hit points and the last roll, and follows them by public streams alone', async () => {
  await expect
    .poll(() => combatants().allInnerTexts())
    .toContainEqual(expect.stringMatching(/^17\s+Mira Thornwood\s+27\s*\/27/));
  await expect.poll(() => current().innerText()).toContain('Mira');

  demo.world.perform({ kind: 'operation', name: 'next-turn', parameters: {} });
  await expect.poll(() => current().innerText()).toContain('Ghoul');
  demo.world.perform({ kind: 'damage', actorUuid: 'Actor.sable', amount: 14 });
  await expect.poll(() => combatants().filter({ hasText: 'Sable' }).innerText()).toMatch(/3\s*\/38/);
  demo.world.perform({ kind: 'roll', formula: '2d6 + 3', actorUuid: 'Actor.mira' });
  await expect
    .poll(() => page.getByRole('region', { name: 'Last roll' }).innerText())
    .toMatch(/\d+\s+Mira Thornwood\s+Roll 2d6 \+ 3/);
  demo.world.perform({ kind: 'hide-token', tokenUuid: 'Scene.chapel.Token.ghoul', hidden: true });
  await expect
    .poll(() => combatants().allInnerTexts())
    .not.toContainEqual(expect.stringMatching(/Ghoul\s+\d+\s*\/22/));

  expect(asked.filter((address) => address.includes('trk_'))).toEqual([]);
  expect(asked.filter((address) => address.includes('/live'))).toEqual([]);
  expect(complaints).toEqual([]);
});

test('says that the world is away, and shows the fight again when it is back', async () => {
  await combatants().first().waitFor();
  demo.module.close();
  await expect.poll(() => status().innerText()).toBe('The world is away');
  await demo.module.connect();
  await expect.poll(() => status().innerText()).toBe('');
  demo.world.perform({ kind: 'operation', name: 'next-turn', parameters: {} });
  await expect.poll(() => current().innerText()).toContain('Ghoul');
});

test('may continue a stream on another origin than its own', async () => {
  await combatants().first().waitFor();
  const status = await page.evaluate(
    async ([stream, apiKey]) => {
      const headers = { 'x-api-key': apiKey ?? '', 'last-event-id': 'none' };
      const answer = await fetch(stream ?? '', { headers });
      await answer.body?.cancel();
      return answer.status;
    },
    [`${url}/chat/subscribe`, key.apiKey],
  );
  expect(status).toBe(200);
});

test('an EventSource on another origin follows by a ticket, and comes back by itself with nothing missed', async () => {
  const { body } = await call(url, 'POST', '/events/tickets', {
    headers: { 'x-api-key': key.apiKey },
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
  const roll = (formula: string) => demo.world.perform({ kind: 'roll', formula, actorUuid: 'Actor.mira' });
  await expect.poll(heard).toEqual(['recovered: false']);
  roll('1d4');
  await expect.poll(heard).toEqual(['recovered: false', '1d4']);
  // The module's socket is none of these connections: it was upgraded.
  relay.instances[0].relay.app.server.closeAllConnections();
  roll('1d6');
  await expect.poll(heard).toEqual(['recovered: false', '1d4', 'recovered: true', '1d6']);
  expect(asked.filter((address) => address.includes('trk_'))).toEqual([]);
});

test.each(['light', 'dark'] as const)('axe finds nothing in %s', async (colorScheme) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width: 390, height: 844 });
  await combatants().first().waitFor();
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);
  await page.goto(`${demo.url}overlay`);
  await page.reload();
  await page.getByRole('heading', { name: 'A stream overlay' }).waitFor();
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);
});
