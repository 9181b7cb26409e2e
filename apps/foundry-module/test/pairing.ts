import type { FoundryTab } from '@tabletop-relay/testing';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';

type Manifest = { id: string; title: string; download: string };

/** Fetches the module as the tabletop's server does: the manifest, then the zip that it names. */
export async function install(
  address: string,
): Promise<{ manifest: Manifest; files: Record<string, string> }> {
  const { download } = (await (await fetch(address)).json()) as Manifest;
  const members = unzipSync(new Uint8Array(await (await fetch(download)).arrayBuffer()));
  const texts = Object.entries(members).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]);
  const files = Object.fromEntries(texts) as Record<string, string>;
  return { manifest: JSON.parse(files['module.json']!) as Manifest, files };
}

/** Waits until the window says so; what it says instead is in the failure. */
export const standing = (page: Page, name: string) =>
  vi.waitFor(
    async () => {
      const shown = await page.locator('[data-standing]').first().getAttribute('data-standing');
      expect(shown).toBe(name);
    },
    { timeout: 30_000, interval: 50 },
  );
export const light = (page: Page) => page.locator('.tabletop-relay-light');
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Presses once in the tabletop and once on the relay's page. */
export async function pair({ page }: FoundryTab, approval = 'Pair this world'): Promise<void> {
  const opened = page.context().waitForEvent('page');
  await press(page, 'Pair with the relay');
  const relayPage = await opened;
  await press(relayPage, approval);
  await standing(page, 'connected');
  await relayPage.close();
}
