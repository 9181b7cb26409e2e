import { memoryStorage } from '@tabletop-relay/module-sdk';
import { launchChromium } from '@tabletop-relay/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startInstances } from '../../relay/test/instances.ts';
import type { TestInstances } from '../../relay/test/instances.ts';
import { startDemoWorld } from '../src/index.ts';
import type { DemoWorld } from '../src/index.ts';

let browser: Browser;
let relay: TestInstances;
let demo: DemoWorld;

beforeAll(async () => {
  [browser, relay] = await Promise.all([launchChromium(), startInstances()]);
  demo = await startDemoWorld({ relayUrl: 'ws://127.0.0.1:9', storage: memoryStorage() });
});

afterAll(async () => {
  await browser.close();
  await Promise.all([demo.close(), relay.stop()]);
});

test('a world of its own pairs by code, answers calls, comes back after a reload, and unpairs', async () => {
  const { masterKey, code } = await accountWithCode('gm@example.com');
  // The address as the dashboard shows it.
  const address = `${relay.instances[0].url.replace('http', 'ws')}/relay`;
  const tab = await open(`?own&relay=${encodeURIComponent(address)}&code=${code}`);
  await tab.getByRole('button', { name: 'Pair', exact: true }).click();
  await tab.getByText(/^Paired and connected/).waitFor();

  expect(await callSkillCheck(masterKey)).toBe('answered');
  await tab.getByRole('log', { name: 'Messages' }).getByText('Perception check').waitFor();
  await tab
    .getByRole('log', { name: 'Calls from the relay' })
    .getByText('skill-check', { exact: true })
    .waitFor();

  await tab.reload();
  await tab.getByText(/^Paired and connected/).waitFor();
  expect(await callSkillCheck(masterKey)).toBe('answered');

  await tab.getByRole('button', { name: 'Unpair…' }).click();
  await tab.getByRole('button', { name: 'Unpair', exact: true }).click();
  await tab.getByRole('button', { name: 'Pair', exact: true }).waitFor();
  await expect.poll(() => callSkillCheck(masterKey), { timeout: 30_000 }).toMatch(/"code":"client_required"/);
  await tab.reload();
  await tab.getByRole('button', { name: 'Pair', exact: true }).waitFor();
});

test('a world of its own runs scripts in a thread that ends in time, and they reach nothing of its page', async () => {
  const { masterKey, code } = await accountWithCode('scripts@example.com');
  const tab = await open(`?own&relay=${relay.instances[0].url}&code=${code}`);
  const faults: string[] = [];
  tab.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  tab.on('pageerror', (error) => faults.push(error.message));
  await tab.getByRole('button', { name: 'Pair', exact: true }).click();
  await tab.getByText(/^Paired and connected/).waitFor();
  const run = async (script: string) =>
    (await send('/execute-js', { script }, { 'x-api-key': masterKey })).json() as Promise<object>;
  expect(await run('return [6 * 7, typeof document, typeof fetch, typeof postMessage]')).toMatchObject({
    result: [42, 'undefined', 'undefined', 'undefined'],
  });
  for (const endless of ['for (;;);', 'return Array(2 ** 32 - 1).join("x")'])
    expect(await run(endless)).toMatchObject({ code: 'operation_failed', reason: 'script_failed' });
  await expect.poll(() => tab.workers()).toEqual([]);
  expect(faults).toEqual([]);
});
test('a world of its own paints its scene with the browser’s own canvas', async () => {
  const { masterKey, code } = await accountWithCode('painter@example.com');
  const tab = await open(`?own&relay=${relay.instances[0].url}&code=${code}`);
  await tab.getByRole('button', { name: 'Pair', exact: true }).click();
  await tab.getByText(/^Paired and connected/).waitFor();
  const headers = { 'x-api-key': masterKey };
  for (const [format, signature] of [['png', '89504e47'], ['jpeg', 'ffd8ffe0']] as const) {
    const response = await fetch(`${relay.instances[0].url}/scene/image?format=${format}`, { headers });
    expect(response.headers.get('content-type')).toBe(`image/${format}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 4).toString('hex')).toBe(signature);
    expect(bytes.length).toBeGreaterThan(50_000);
  }
}); // prettier-ignore

test('a world of its own that is opened twice waits in the second tab, which serves at a press, and when the first is closed', async () => {
  const { masterKey, code } = await accountWithCode('two@example.com');
  const first = await open(`?own&relay=${relay.instances[0].url}&code=${code}`);
  await first.getByRole('button', { name: 'Pair', exact: true }).click();
  await first.getByText(/^Paired and connected/).waitFor();
  const second = await first.context().newPage();
  await second.goto(`${demo.url}?own`);
  await second.getByText('Waits: another browser serves this world').waitFor();
  const press = async (tab: Page) => await tab.getByRole('button', { name: 'Serve from here' }).click();
  const calls = (tab: Page) =>
    tab.getByRole('log', { name: 'Calls from the relay' }).getByText('skill-check', { exact: true });

  await press(second);
  await second.getByText(/it has only just begun to serve. Try again/).waitFor();
  // The press counts where the first one has served for five seconds.
  await expect
    .poll(
      async () => {
        const isServing = await second.getByText(/^Paired and connected/).isVisible();
        if (!isServing) await press(second);
        return isServing;
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBe(true);
  await first.getByText('Waits: another browser serves this world').waitFor();
  expect(await second.getByRole('alert').first().textContent()).toBe('');
  await expect.poll(() => callSkillCheck(masterKey)).toBe('answered');
  await calls(second).waitFor();
  expect(await calls(first).count()).toBe(0);

  await second.close();
  await first.getByText(/^Paired and connected/).waitFor();
  await expect.poll(() => callSkillCheck(masterKey)).toBe('answered');
  await calls(first).waitFor();
});

test('a code that was used is refused in words, and the form stays', async () => {
  const { code } = await accountWithCode('twice@example.com');
  const [first, second] = [await open(), await open()];
  for (const tab of [first, second]) {
    await tab.getByRole('textbox', { name: 'Relay' }).fill(relay.instances[0].url);
    await tab.getByLabel('Code').fill(code.toLowerCase());
    await tab.getByRole('button', { name: 'Pair', exact: true }).click();
    await tab.getByText(/^Paired and connected|That code was used already/).waitFor();
  }
  await second.getByText('That code was used already').waitFor();
  const pair = second.getByRole('button', { name: 'Pair', exact: true });
  await expect.poll(() => pair.isEnabled()).toBe(true);
});

test('an unencrypted address of another machine is refused with the reason', async () => {
  const tab = await open('?own&relay=ws://relay.example:3010&code=abc-def');
  await tab.getByRole('button', { name: 'Pair', exact: true }).click();
  await tab.getByText(/That address is not encrypted/).waitFor();
  await expect.poll(() => tab.getByLabel('Code').inputValue()).toBe('ABC DEF');
});

/** Each tab is a browser of its own: nothing is shared but the relay. */
async function open(query = '?own'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const tab = await context.newPage();
  await tab.goto(`${demo.url}${query}`);
  return tab;
}

async function accountWithCode(email: string): Promise<{ masterKey: string; code: string }> {
  const { masterKey, sessionToken } = await post('/auth/register', {
    email,
    password: 'a long enough passphrase',
  });
  const { code } = await post('/auth/pairing-codes', {}, { authorization: `Bearer ${sessionToken}` });
  return { masterKey: masterKey!, code: code! };
}

/** `answered`, or the problem as it came. */
async function callSkillCheck(key: string): Promise<string> {
  const response = await send(
    '/sys5e/skill-check',
    { actorUuid: 'Actor.mira', skill: 'prc' },
    { 'x-api-key': key },
  );
  return response.ok ? 'answered' : response.text();
}

async function post(path: string, body: object, headers = {}): Promise<Record<string, string>> {
  const response = await send(path, body, headers);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Record<string, string>;
}

function send(path: string, body: object, headers: Record<string, string>): Promise<Response> {
  return fetch(`${relay.instances[0].url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
