import type { BrowserContext, CDPSession, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Chromium's own "Slow 4G". */
const slow4G = {
  offline: false,
  downloadThroughput: 180_000,
  uploadThroughput: 84_375,
  latency: 562.5,
};
const slowerProcessor = 4;

/** A page that is not there by then is not waited for. */
const longestWaitMs = 15_000;
/** So long nothing may be under way before a page counts as whole. */
const quietMs = 700;

/** How a page opened. Bytes and requests are those that came over the line, with all that came after the page could be used. */
export interface Opened {
  /** Until it could be used; infinite if that did not come. */
  ms: number;
  bytes: number;
  requests: number;
}

/** Opens an address in a tab of its own on a slow line. It can be used when `ready` is seen and no part says that it is busy. */
export async function openOnSlowLine(
  context: BrowserContext,
  address: string,
  ready: (page: Page) => Locator,
): Promise<Opened> {
  const tab = await context.newPage();
  try {
    const traffic = await slowDown(tab);
    const since = performance.now();
    const isUsable = await waitUntilUsable(tab, address, ready).then(
      () => true,
      () => false,
    );
    const ms = isUsable ? performance.now() - since : Number.POSITIVE_INFINITY;
    await expect.poll(traffic.quietForMs, { interval: 100, timeout: longestWaitMs }).toBeGreaterThan(quietMs);
    return { ms, bytes: traffic.bytes(), requests: traffic.requests() };
  } finally {
    await tab.close();
  }
}

async function waitUntilUsable(tab: Page, address: string, ready: (page: Page) => Locator): Promise<void> {
  const timeout = longestWaitMs;
  await tab.goto(address, { waitUntil: 'commit', timeout });
  await ready(tab).first().waitFor({ timeout });
  await tab.waitForFunction(() => !document.querySelector('[aria-busy="true"]'), undefined, { timeout });
}

interface Traffic {
  bytes(): number;
  requests(): number;
  /** How long nothing has been under way. A page's event stream never ends and is left out. */
  quietForMs(): number;
}

async function slowDown(tab: Page): Promise<Traffic> {
  const line: CDPSession = await tab.context().newCDPSession(tab);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', slow4G);
  await line.send('Emulation.setCPUThrottlingRate', { rate: slowerProcessor });
  const underWay = new Set<string>();
  let [bytes, requests, quietSince] = [0, 0, performance.now()];
  const end = (requestId: string) => {
    underWay.delete(requestId);
    quietSince = performance.now();
  };
  line.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    if (type === 'EventSource' || request.url.startsWith('data:')) return;
    underWay.add(requestId);
    requests++;
  });
  line.on('Network.requestServedFromCache', () => requests--);
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength;
    end(requestId);
  });
  line.on('Network.loadingFailed', ({ requestId }) => end(requestId));
  return {
    bytes: () => bytes,
    requests: () => requests,
    quietForMs: () => (underWay.size > 0 ? 0 : performance.now() - quietSince),
  };
}
