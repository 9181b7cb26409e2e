import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** It is looked every 1.5 s for the browser that pairs. */
const polled = ['/dashboard/pair: GET /auth/connection-tokens?limit=200'];

/** What the page at an address asks of the API more than once while it opens: until nothing more comes for a while. */
export async function askedTwice(page: Page, address: string): Promise<string[]> {
  const asked: string[] = [];
  const note = (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (request.resourceType() === 'fetch')
      asked.push(`${address}: ${request.method()} ${pathname}${search}`);
  };
  // What the page before still asks for is not this one's.
  await page.goto('about:blank');
  page.on('request', note);
  await page.goto(address);
  let before = -1;
  const isQuiet = () => {
    const same = asked.length === before;
    before = asked.length;
    return same;
  };
  await expect.poll(isQuiet, { interval: 400 }).toBe(true);
  page.off('request', note);
  expect(asked).toContain(`${address}: GET /auth/account`);
  return asked.filter((one, index) => asked.indexOf(one) !== index && !polled.includes(one));
}
