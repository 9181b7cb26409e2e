import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Axe on a page and on what it frames of its own origin. The other mode opens a page for each analysis, and looks into frames of
 * other origins too, of which our pages have none.
 */
export const axeOn = (page: Page) => new AxeBuilder({ page }).setLegacyMode();

/** What axe finds in both themes; all but the contrast is the same in either. */
export async function faultsIn(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const light = await axeOn(page).analyze();
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const dark = await axeOn(page).withRules(['color-contrast']).analyze();
  return [light, dark].flatMap(({ violations }, theme) =>
    violations.map(
      ({ id, nodes }) => `${theme} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    ),
  );
}

/** By how many pixels the page is wider than the screen. */
export const widthBeyondPage = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Axe finds nothing in either theme, and the page fits a phone; then it is as wide as before. */
export async function expectGood(page: Page, what = page.url()): Promise<void> {
  expect(await faultsIn(page), what).toEqual([]);
  const { width = 1280, height = 720 } = page.viewportSize() ?? {};
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => widthBeyondPage(page), { message: what }).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width, height });
}
