import type { Locator, Page } from 'playwright-core';

/** The pages of Foundry VTT, by the last part of their path. */
export type View = 'license' | 'auth' | 'setup' | 'players' | 'join' | 'game' | 'other';

const views: readonly string[] = ['license', 'auth', 'setup', 'players', 'join', 'game'] satisfies View[];

export function viewOf(page: Page): View {
  const [last = ''] = new URL(page.url()).pathname.split('/').filter(Boolean).slice(-1);
  return views.includes(last) ? (last as View) : 'other';
}

/** Its page beside the present one: Foundry may stand under a path. */
export function viewUrl(page: Page, view: View): string {
  return new URL(view, page.url()).href;
}

/** Clicks though a tour, a dialog or a changelog lies over the page: a person would close it first. */
export async function press(button: Locator): Promise<void> {
  await button.first().evaluate((element: HTMLElement) => element.click());
}

/** What Foundry tells in a corner of the page when it refuses something. */
export const refusalOn = (page: Page): Locator => page.locator('.notification.error').first();

/** The button of a dialog, in the markup of versions 11 and 12 and in that since 13. */
export const dialogButton = (page: Page, answer: 'yes' | 'no'): Locator =>
  page.locator(`dialog button[data-action=${answer}], .dialog button[data-button=${answer}]`).first();
