import { addresses, pathOf } from '@tabletop-relay/contract';
import { requestKey } from '@tabletop-relay/sdk';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairDemoWorld, startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
let master: Person;
let world: Awaited<ReturnType<typeof pairDemoWorld>>;
let worldPage: string;
let approvePage: string;
let line: CDPSession;

beforeAll(async () => {
  dashboard = await startDashboard();
  master = await dashboard.newPerson();
  await master.register();
  world = await pairDemoWorld(master, dashboard.url);
  const { page } = master;
  worldPage = `/dashboard/worlds/${world.clientId}`;
  const { approvalUrl } = await requestKey({
    url: dashboard.url,
    appName: 'A bot',
    scopes: ['roll:execute'],
  });
  approvePage = new URL(approvalUrl).pathname;
  line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
});
afterAll(async () => {
  world.close();
  await dashboard.stop();
});

/** A line that the browser takes for a slow one, or the one it has; the bytes come as fast on both. */
const setLine = (latency: number) =>
  line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });

const leftOver = (page: Page) => page.evaluate(() => [...(window.askedFirst?.keys() ?? [])]);

const pages = [
  ...['', '/worlds', '/sessions', '/keys', '/try', '/activity', '/notifications', '/account'].map(
    (path) => () => `/dashboard${path}`,
  ),
  () => worldPage,
  () => approvePage,
];

test('what a document asks for on a slow line is what its page takes, once', async () => {
  await setLine(400);
  const { page } = master;
  for (const addressOf of pages) {
    const address = addressOf();
    const asked: string[] = [];
    const note = (url: string) => asked.push(url);
    await page.goto('about:blank');
    page.on('request', (request) => note(request.url()));
    await page.goto(address, { waitUntil: 'domcontentloaded' });
    const { asks = '', asksOnSlowLine = '' } = await page.evaluate(() => {
      const script = document.querySelector<HTMLElement>('script[src*="/first-"]');
      return { asks: script?.dataset['asks'], asksOnSlowLine: script?.dataset['asksOnSlowLine'] };
    });
    expect(asks, address).toContain('/auth/account');
    expect(asksOnSlowLine, address).toContain('/auth/known-clients?limit=200');
    await expect.poll(() => leftOver(page), { message: address }).toEqual([]);
    page.removeAllListeners('request');
    const own = asks.split(' ').map((path) => path.replace('{last}', address.split('/').at(-1) ?? ''));
    for (const path of own)
      expect(
        asked.filter((url) => url === dashboard.url + path),
        `${address} ${path}`,
      ).toHaveLength(1);
  }
}, 60_000);

test('on a fast line the worlds are left to the event stream, and an address with a query asks by itself', async () => {
  await setLine(0);
  const { page } = master;
  const answers = () => page.evaluate(() => window.askedFirst === undefined);
  await page.goto('/dashboard?days=7', { waitUntil: 'domcontentloaded' });
  expect(await answers()).toBe(true);
  // That page goes on asking until it has gone.
  await page.goto('about:blank');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/dashboard/worlds');
  await page.getByRole('link', { name: 'The Sunken Chapel' }).waitFor();
  page.removeAllListeners('request');
  // Once the stream is open, or half a second after it was asked for.
  const [stream, worlds] = [addresses.followKnownClients, addresses.listKnownClients].map(pathOf);
  expect(asked.filter((path) => path === stream || path === worlds).slice(0, 2)).toEqual([stream, worlds]);
});

test('an answer that was asked for with the document is of no use to who changes something', async () => {
  const { page } = master;
  await page.goto('/dashboard/keys');
  await page.evaluate(() => {
    window.askedFirst = new Map([['/auth/account', Promise.resolve(new Response('{"id":"stale"}'))]]);
  });
  await page.getByRole('button', { name: 'Account', exact: false }).first().click();
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate(() => window.askedFirst)).toBeUndefined();
});
