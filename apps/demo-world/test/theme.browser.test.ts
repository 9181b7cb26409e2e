import { AxeBuilder } from '@axe-core/playwright';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import { launchChromium } from '@tabletop-relay/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDemoWorld } from '../src/index.ts';
import type { DemoWorld } from '../src/index.ts';

const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };

let browser: Browser;
let demo: DemoWorld;
beforeAll(async () => {
  browser = await launchChromium();
  demo = await startDemoWorld({ relayUrl: 'ws://127.0.0.1:9', storage: memoryStorage(), seed: 7 });
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await demo.close();
  await browser.close();
});

async function open(query: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: desk, ...options });
  const page = await context.newPage();
  await page.goto(`${demo.url}${query}`);
  return page;
}

test.each(['', '?own'])(
  'the theme is the system’s until another is chosen, and the choice is kept (%s)',
  async (query) => {
    const page = await open(query, { colorScheme: 'dark' });
    const theme = () => page.evaluate(() => getComputedStyle(document.body).colorScheme);
    const choose = (name: string) => page.getByRole('button', { name }).click();
    expect(await theme()).toBe('dark');
    await choose('Light theme');
    expect(await theme()).toBe('light');
    await page.reload();
    expect(await theme()).toBe('light');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await theme()).toBe('light');
    // Who goes back to the system's own theme follows it again.
    await choose('Dark theme');
    expect(await theme()).toBe('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(theme).toBe('light');
    await page.getByRole('button', { name: 'Dark theme' }).waitFor();
  },
);

test.each([
  { theme: 'light', viewport: desk },
  { theme: 'dark', viewport: desk },
  { theme: 'light', viewport: phone },
  { theme: 'dark', viewport: phone },
] as const)('axe finds nothing in $theme at $viewport.width wide', async ({ theme, viewport }) => {
  // The theme is chosen, against the system's.
  const page = await open('?own', { colorScheme: theme === 'light' ? 'dark' : 'light', viewport });
  await page.locator('[data-token]').first().waitFor();
  await page.getByRole('button', { name: theme === 'light' ? 'Light theme' : 'Dark theme' }).click();
  for (const tab of viewport === phone ? ['Chat', 'Sheet', 'Combat'] : ['']) {
    if (tab) await page.getByRole('button', { name: tab, exact: true }).click();
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
      [],
    );
  }
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(overflow).toBeLessThanOrEqual(0);
});
