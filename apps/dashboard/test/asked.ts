import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** It is looked every 1.5 s for the browser that pairs. */
const polled = ['/dashboard/pair: GET /auth/connection-tokens?limit=200'];

/** Notes what the page at an address asks of the API, from now on until `twice` tells what it asked more than once. */
export function noteAsked(page: Page, address: string) {
  const asked: string[] = [];
  const note = (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (request.resourceType() === 'fetch')
      asked.push(`${address}: ${request.method()} ${pathname}${search}`);
  };
  page.on('request', note);
  return {
    count: () => asked.length,
    twice(): string[] {
      page.off('request', note);
      expect(asked).toContain(`${address}: GET /auth/account`);
      return asked.filter((one, index) => asked.indexOf(one) !== index && !polled.includes(one));
    },
  };
}

/** What the page at an address asks of the API more than once while it opens: until nothing more comes for a while. */
export async function askedTwice(page: Page, address: string): Promise<string[]> {
  await page.goto('about:blank');
  const asked = noteAsked(page, address);
  await page.goto(address);
  let before = -1;
  const isQuiet = () => {
    const same = asked.count() === before;
    before = asked.count();
    return same;
  };
  await expect.poll(isQuiet, { interval: 400 }).toBe(true);
  return asked.twice();
}
