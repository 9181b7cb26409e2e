import { operations } from '@tabletop-relay/contract';
import { launchChromium } from '@tabletop-relay/testing';
import type { FakeModule } from '@tabletop-relay/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectModule, createAccount } from '../account.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let key: string;
let module: FakeModule;
let browser: Awaited<ReturnType<typeof launchChromium>>;

beforeAll(async () => {
  cluster = await startInstances();
  [{ url }] = cluster.instances;
  const account = await createAccount(url);
  key = await account.createKey();
  module = await connectModule(url, await account.pair(), () => ({ users: [{ name: 'Ada' }] }));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await module.close();
  await cluster.stop();
});

/** A page, and what its browser complained of. */
async function openPage(path: string) {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url + path);
  return { page, complaints };
}

describe('/docs in Chromium', () => {
  it('shows every operation and calls one, without a complaint of the browser', async () => {
    const { page, complaints } = await openPage('/docs');
    for (const group of new Set(operations.map((one) => one.group)))
      await page.locator(`.opblock-tag[data-tag="${group}"]`).click();
    for (const { path } of operations)
      await page
        .locator(`[data-path="${path.replaceAll(/:(\w+)/g, '{$1}')}"]`)
        .first()
        .waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.getByLabel('Value').first().fill(key);
    await page.getByRole('button', { name: 'Apply credentials' }).first().click();
    await page.getByRole('button', { name: 'Close' }).first().click();
    const players = page.locator('#operations-utility-players');
    await players.locator('.opblock-summary-control').click();
    await players.getByRole('button', { name: 'Execute' }).click();
    const answer = players.locator('.live-responses-table .response .microlight').first();
    await expect.poll(() => answer.textContent()).toContain('Ada');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows a page for an error that a browser has no complaint of', async () => {
    const { page, complaints } = await openPage('/errors/client_offline');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('The world is offline');
    await page.getByRole('link', { name: 'All errors' }).click();
    await page.getByRole('link', { name: 'client_timeout' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});
