import path from 'node:path';
import type { Page } from 'playwright-core';

/** Takes a picture of the guides in each theme, where `PICTURES` names the folder for it. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder === undefined) return;
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 880, height: 720 });
  await page.evaluate(showAsAtRelay, new URL(page.url()).host);
  for (const [colorScheme, ending] of [
    ['light', ''],
    ['dark', '.dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const file = path.join(folder, `${name}${ending}.png`);
    await page.locator('main').screenshot({ path: file, animations: 'disabled' });
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width, height });
}

/** The test's own address stands for that of a relay. */
function showAsAtRelay(host: string): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    node.nodeValue = (node.nodeValue ?? '')
      .replaceAll(`ws://${host}`, 'wss://relay.example')
      .replaceAll(`http://${host}`, 'https://relay.example');
}
