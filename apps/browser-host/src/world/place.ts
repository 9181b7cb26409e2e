import type { JSHandle, Page } from 'playwright-core';
import { StageFailure } from '../adapters/adapter.ts';
import type { SessionPage } from '../browser/open-page.ts';

/** Where a session belongs: the origin of the address that it was started for. What is secret is for pages of it alone. */
export type Place = string;

export const placeOf = (tabletopUrl: string): Place => new URL(tabletopUrl).origin;

/** The origin of what the page shows, as the browser tells it: no script of the page can make it another. `null` where it has none. */
const originOf = (page: Page): string => URL.parse(page.url())?.origin ?? 'null';

/** Throws `StageFailure` where the page shows something of another origin. */
export function checkPlace(page: Page, place: Place): void {
  const origin = originOf(page);
  if (origin !== place) throw isElsewhere(place, origin);
}

/**
 * The document that the page shows, which is of the place. What is evaluated on it runs in this document or rejects: the page may
 * have gone on in the meantime. Throws `StageFailure` where it is elsewhere.
 */
export async function documentAt(page: Page, place: Place): Promise<JSHandle<Document>> {
  const shown = await page.evaluateHandle(() => document);
  // Which page a document is of is told before anything can be evaluated in it.
  checkPlace(page, place);
  return shown;
}

/** Rejects with `StageFailure` as soon as the page shows something of another address. A page that did not load has none. */
export function untilElsewhere(
  { page, proxy }: Pick<SessionPage, 'page' | 'proxy'>,
  place: Place,
): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return;
    const origin = originOf(page);
    if (origin === 'null' || origin === place) return;
    // What it shows may be the proxy's own answer.
    const refusal = proxy.refusals().find((one) => one.includes(new URL(origin).hostname));
    reject(refusal === undefined ? isElsewhere(place, origin) : new StageFailure(`${refusal}.`));
  });
  return promise;
}

function isElsewhere(place: Place, origin: string): StageFailure {
  if (origin === 'null') return new StageFailure(`The page shows nothing of ${place} any more.`);
  return new StageFailure(
    `${place} leads to ${origin}, and a session stays at the address that it was started for. If ${origin} is your tabletop, start the session there.`,
  );
}
