import { createHash } from 'node:crypto';
import type { FoundryTab } from '@tabletop-relay/testing';
import type { Page } from 'playwright-core';

const setting = (page: Page, key: string) =>
  page.evaluate<unknown>(`game.settings.get('tabletop-relay', '${key}')`);

/** Sets a setting of ours as a script of a game master may. */
export async function setSetting(page: Page, key: string, value: unknown): Promise<void> {
  await page.evaluate(
    `game.settings.set('tabletop-relay', '${key}', ${JSON.stringify(value)}).then(() => undefined)`,
  );
}

/** What was done in this browser, newest last. */
export function activityOf(
  page: Page,
): Promise<{ callerId: string; operation: string; outcome: string; reason: string; ms: number }[]> {
  return page.evaluate(() => {
    dispatchEvent(new Event('pagehide'));
    const key = Object.keys(sessionStorage).find((one) => one.endsWith('.activity'));
    return JSON.parse(sessionStorage.getItem(key ?? '') ?? '[]') as never;
  });
}

/**
 * Allows all that a game master can: everything, the guarded scopes one by one, and these codes for the program that called last.
 */
export async function allowAll(page: Page, codes: readonly string[] = []): Promise<void> {
  const callerId = (await activityOf(page)).at(-1)?.callerId ?? '';
  const code = codes.map((text) => ({
    hash: createHash('sha256').update(text).digest('hex'),
    callerId,
    callerName: 'x',
    at: 1,
  }));
  const scopes = {
    'user:write': 'allow',
    'file:write': 'allow',
    'macro:write': 'allow',
    'macro:execute': 'ask',
    'script:execute': 'ask',
  };
  await setSetting(page, 'policy', { preset: 'everything', scopes, operations: {}, code });
}

export const readSetting = setting;

/** The question that is shown, and its buttons: `no`, `once`, `program`, `code`, `mute`. */
export const question = ({ page }: FoundryTab) => page.locator('#tabletop-relay-question');

/** Presses once it is taken: what comes too soon is not. */
export async function answerQuestion(tab: FoundryTab, press: string): Promise<void> {
  const asked = question(tab);
  await asked.waitFor();
  const words = await asked.innerText();
  while ((await asked.count()) > 0 && (await asked.innerText()) === words) {
    await asked
      .locator(`#tabletop-relay-${press}`)
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await tab.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  }
}
