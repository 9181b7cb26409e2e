import path from 'node:path';
import type { Page } from 'playwright-core';

/** The colours in which the tabletop has its windows: dark, and parchment. */
const colours = [
  { ground: '#0b0a13', text: '#efe6d8', button: '#2a2736' },
  { ground: '#e9e2d4', text: '#191813', button: '#d5cbb7' },
];

const grounds = colours.map(
  ({ ground, text, button }) => `
.window-content, .window-header, body { background: ${ground}; color: ${text}; }
.window-content { padding: 12px; }
.window-header { display: flex; align-items: center; padding: 8px 16px; border-bottom: 1px solid #8888; }
.window-header h1 { flex: 1; margin: 0; font-size: 1rem; }
.window-header button { border: 0; background: none; color: inherit; }
.window-header button::after { content: '✕'; }
.window-content button, .window-content select { background: ${button}; color: ${text}; border: 1px solid #666; }`,
);

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

/** Takes a picture for the guides on each ground, as `name.dark.png` and `name.png`, where `PICTURES` names the folder for them. */
export async function takePicture(page: Page, selector: string, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder === undefined) return;
  await onEachGround(page, async (ground) => {
    const file = ground === 'dark' ? `${name}.dark.png` : `${name}.png`;
    await page.locator(selector).screenshot({ path: path.join(folder, file) });
  });
}
