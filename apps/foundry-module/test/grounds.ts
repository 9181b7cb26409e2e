import path from 'node:path';
import type { Page } from 'playwright-core';

/** As the tabletop has its windows: dark, and parchment. */
const grounds = [
  '.window-content, .window-header, body { background: #0b0a13; color: #efe6d8; } .window-content button, .window-content select { background: #2a2736; color: #efe6d8; border: 1px solid #666; }',
  '.window-content, .window-header, body { background: #e9e2d4; color: #191813; } .window-content button, .window-content select { background: #d5cbb7; color: #191813; border: 1px solid #666; }',
];

/** The looks of the tabletop by the names that pictures have. */
const names = ['dark', 'light'];

/** Runs with the page on each ground. */
export async function onEachGround(page: Page, run: (name: string) => Promise<void>): Promise<void> {
  for (const [index, ground] of grounds.entries()) {
    await page.evaluate((css) => {
      document.getElementById('ground')?.remove();
      document.head.append(
        Object.assign(document.createElement('style'), { id: 'ground', textContent: css }),
      );
    }, ground);
    await run(names[index]!);
  }
}

/** Takes the pictures of the docs, on each ground, where `PICTURES` names the folder for them. */
export async function takePicture(page: Page, selector: string, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder === undefined) return;
  await onEachGround(page, async (ground) => {
    await page.locator(selector).screenshot({ path: path.join(folder, `${name}-${ground}.png`) });
  });
}
