import type { Page } from 'playwright-core';
import { StageFailure } from '../adapter.ts';
import type { StageLogin } from '../adapter.ts';
import type { FoundryGlobals } from './module.ts';

/** Waits until the game is ready, and makes sure that it is the world that was asked for. */
export async function enterWorld(page: Page, { worldName, timeoutMs }: StageLogin): Promise<void> {
  await page.waitForFunction(
    () => (globalThis as unknown as Partial<FoundryGlobals>).game?.ready === true,
    undefined,
    {
      timeout: timeoutMs,
    },
  );
  const { id, title } = await page.evaluate(() => {
    const { world } = (globalThis as unknown as FoundryGlobals).game;
    return { id: world.id, title: world.title };
  });
  if (worldName && worldName !== id && worldName !== title) {
    throw new StageFailure(`Another world runs on this tabletop: ${title}. It runs one at a time.`);
  }
}
