import { createAddressGuard } from '@tabletop-relay/outbound';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSharedBrowser } from '../src/browser/browser.ts';
import type { SharedBrowser } from '../src/browser/browser.ts';
import { captureConsole } from '../src/world/watch-page.ts';
import { openPage } from '../src/browser/open-page.ts';
import type { SessionPage } from '../src/browser/open-page.ts';
import { browserPid } from './processes.ts';

const guard = createAddressGuard({ allow: ['127.0.0.0/8'] });
const hostSettings = ['DATABASE_URL', 'REDIS_URL', 'RELAY_SECRET', 'AN_UNKNOWN_SETTING'];
const browserSettings = ['LC_PAPER', 'LANGUAGE'];
let browser: SharedBrowser;
let server: Server;
let url: string;
let opened: SessionPage;
beforeAll(async () => {
  for (const name of hostSettings) vi.stubEnv(name, 'of the host');
  for (const name of browserSettings) vi.stubEnv(name, 'of the browser');
  browser = createSharedBrowser({ heapMb: 256, requireSandbox: false, log: pino({ level: 'silent' }) });
  server = createServer(({ url: asked }, response) => {
    if (asked === '/file') response.setHeader('content-disposition', 'attachment; filename=loot.zip');
    else response.setHeader('content-type', asked === '/worker.js' ? 'text/javascript' : 'text/html');
    response.end('<title>A page</title>');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  opened = await openPage(browser, { guard });
  await opened.page.goto(url);
});
afterAll(async () => {
  await opened.close();
  await browser.close();
  server.closeAllConnections();
  server.close();
  vi.unstubAllEnvs();
});

it.runIf(process.platform === 'linux')('the browser gets none of the settings of its host', () => {
  const environment = readFileSync(`/proc/${browserPid()}/environ`, 'utf8').split('\0');
  const given = environment.map((entry) => entry.split('=', 1)[0]);
  for (const name of ['PATH', 'HOME', ...browserSettings]) expect(given).toContain(name);
  for (const name of hostSettings) expect(given).not.toContain(name);
});

it('a page has nothing that talks past the proxy', async () => {
  const there = await opened.page.evaluate(() =>
    ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport'].filter((name) => name in globalThis),
  );
  expect(there).toEqual([]);
});

it('a page opens no other window', async () => {
  const [other] = await Promise.all([
    opened.context.waitForEvent('page'),
    opened.page.evaluate((address) => void window.open(address), `${url}other`),
  ]);
  await expect.poll(() => other.isClosed()).toBe(true);
  expect(opened.page.url()).toBe(url);
});

it('a page that asks something is answered no, and goes on', async () => {
  expect(await opened.page.evaluate(() => confirm('Really?'))).toBe(false);
});

it('a page downloads nothing', async () => {
  const [download] = await Promise.all([
    opened.page.waitForEvent('download'),
    opened.page.evaluate((file) => location.assign(file), `${url}file`),
  ]);
  expect(await download.failure()).not.toBeNull();
});

it('a page reads no file of the host', async () => {
  const refused = opened.page.waitForEvent('console', (message) =>
    /not allowed to load/i.test(message.text()),
  );
  await opened.page.evaluate(() => location.assign('file:///etc/passwd'));
  await refused;
  const read = opened.page.evaluate(() => fetch('file:///etc/passwd').then((file) => file.text()));
  await expect(read).rejects.toThrow('Failed to fetch');
  expect(opened.page.url()).toBe(url);
});

it('a page gets no device, no place, no notification and no service worker', async () => {
  await opened.page.goto(url);
  const states = await opened.page.evaluate(async () => {
    const names = ['camera', 'microphone', 'geolocation', 'notifications'] as PermissionName[];
    return await Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state));
  });
  expect(states.filter((state) => state === 'granted')).toEqual([]);
  const controller = await opened.page.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js').catch(() => {});
    return (await navigator.serviceWorker.getRegistrations()).length;
  });
  expect(controller).toBe(0);
});

it('two sessions share no cookie and no storage', async () => {
  await opened.page.evaluate(() => {
    document.cookie = 'who=first';
    localStorage.setItem('who', 'first');
  });
  const other = await openPage(browser, { guard });
  await other.page.goto(url);
  expect(await other.page.evaluate(() => document.cookie + (localStorage.getItem('who') ?? ''))).toBe('');
  expect(browser.starts()).toBe(1);
  await other.close();
});

it('the console is kept from its level on, without secrets, up to a bound', async () => {
  const { last } = captureConsole(opened.page, { level: 'warn', secrets: () => ['open sesame'] });
  await opened.page.evaluate(`
    console.debug('of no interest');
    console.warn('the password is open sesame');
    console.error('long'.repeat(500));
  `);
  await expect.poll(() => last().length).toBe(2);
  expect(last()).toMatchObject([
    { level: 'warn', text: 'the password is [hidden]' },
    { level: 'error', text: 'long'.repeat(125) },
  ]);
  await opened.page.evaluate('for (let line = 1; line <= 300; line++) console.error(`line ${line}`)');
  await expect.poll(() => last().at(-1)?.text).toBe('line 300');
  expect(last()).toHaveLength(200);
});

it('a page whose JavaScript takes more memory than it may crashes, and no other with it', async () => {
  const small = createSharedBrowser({ heapMb: 64, requireSandbox: false, log: pino({ level: 'silent' }) });
  const [greedy, modest] = [await openPage(small, { guard }), await openPage(small, { guard })];
  await Promise.all([greedy.page.goto(url), modest.page.goto(url)]);
  const grown = greedy.page.evaluate(`
    globalThis.kept = [];
    for (let mib = 0; mib < 512; mib++) globalThis.kept.push(Array.from({ length: 131_072 }, (_, i) => i + 0.5));
  `);
  grown.catch(() => {});
  expect(await greedy.crashed).toBe('its page crashed');
  await expect(grown).rejects.toThrow(/crash/i);
  expect(await modest.page.title()).toBe('A page');
  expect(small.starts()).toBe(1);
  await Promise.all([greedy.close(), modest.close()]);
  await small.close();
});
