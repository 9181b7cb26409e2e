import { createAddressGuard } from '@tabletop-relay/outbound';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createBrowsers } from '../src/browser/browser.ts';
import type { StartBrowser } from '../src/browser/browser.ts';
import { captureConsole } from '../src/world/watch-page.ts';
import { openPage } from '../src/browser/open-page.ts';
import { readUsage } from '../src/browser/process-usage.ts';
import type { SessionPage } from '../src/browser/open-page.ts';
import { browserPid, browserPids } from './processes.ts';

const guard = createAddressGuard({ allow: ['127.0.0.0/8'] });
const hostSettings = ['DATABASE_URL', 'REDIS_URL', 'RELAY_SECRET', 'AN_UNKNOWN_SETTING'];
const browserSettings = ['LC_PAPER', 'LANGUAGE'];
let startBrowser: StartBrowser;
let server: Server;
let url: string;
let opened: SessionPage;
beforeAll(async () => {
  for (const name of hostSettings) vi.stubEnv(name, 'of the host');
  for (const name of browserSettings) vi.stubEnv(name, 'of the browser');
  startBrowser = createBrowsers({ memoryMb: 512, requireSandbox: false, log: pino({ level: 'silent' }) });
  server = createServer(({ url: asked }, response) => {
    if (asked === '/file') response.setHeader('content-disposition', 'attachment; filename=loot.zip');
    else response.setHeader('content-type', asked === '/worker.js' ? 'text/javascript' : 'text/html');
    response.end('<title>A page</title>');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  opened = await openPage(startBrowser, { guard });
  await opened.page.goto(url);
});
afterAll(async () => {
  await opened.close();
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
  const other = await openPage(startBrowser, { guard });
  await other.page.goto(url);
  expect(await other.page.evaluate(() => document.cookie + (localStorage.getItem('who') ?? ''))).toBe('');
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
  // Its driver would keep such a line, too.
  await opened.page.evaluate('console.error("x".repeat(100_000)); console.error("after it")');
  await expect.poll(() => last().at(-1)?.text).toBe('after it');
  expect(last().at(-2)?.text).toBe('line 300');
});

it.each([
  ['JavaScript', 'Array.from({ length: 1_048_576 }, (_, i) => i + 0.5)'],
  ['buffers', 'new Uint8Array(8 * 1_048_576).fill(1)'],
])('a page whose %s takes more memory than it may is ended, and no other with it', async (_what, taken) => {
  const small = createBrowsers({ memoryMb: 256, requireSandbox: false, log: pino({ level: 'silent' }) });
  const [greedy, modest] = [await openPage(small, { guard }), await openPage(small, { guard })];
  await Promise.all([greedy.page.goto(url), modest.page.goto(url)]);
  const grown = greedy.page.evaluate(`(async () => {
    globalThis.kept = [];
    for (;;) {
      globalThis.kept.push(${taken});
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })()`);
  grown.catch(() => {});
  // What is not collected in time crashes a page sooner.
  const { what } = await greedy.gone;
  expect(what).toMatch(/^its page (took more than 256 MiB of memory|crashed)$/);
  await expect(grown).rejects.toThrow(/crash|closed/i);
  expect(await modest.page.title()).toBe('A page');
  await Promise.all([greedy.close(), modest.close()]);
});

it.runIf(process.platform === 'linux')(
  'a page that never rests is ended at once, with all of its browser’s processes',
  async () => {
    const others = new Set(browserPids());
    const busy = await openPage(startBrowser, { guard });
    await busy.page.goto(url);
    const [leader = 0] = browserPids().filter((pid) => !others.has(pid));
    expect(readUsage(new Set([leader])).get(leader)?.threads).toBeGreaterThan(20);
    const never = busy.page.evaluate('for (;;);');
    never.catch(() => {});
    const begun = performance.now();
    await busy.close();
    expect(performance.now() - begun).toBeLessThan(3_000);
    await expect(never).rejects.toThrow(/closed/);
    await expect.poll(() => readUsage(new Set([leader])).get(leader)?.bytes ?? 0).toBe(0);
  },
);
