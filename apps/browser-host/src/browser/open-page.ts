import type { AddressGuard } from '@tabletop-relay/outbound';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startFilteringProxy } from '../proxy/filtering-proxy.ts';
import type { FilteringProxy } from '../proxy/filtering-proxy.ts';
import type { BrowserEnd, SessionBrowser, StartBrowser } from './browser.ts';

/** One session's page, in a browser of its own: nothing of it is on disk, and nothing is left when it closes. */
export interface SessionPage {
  page: Page;
  context: BrowserContext;
  proxy: FilteringProxy;
  /** Settles when the page or its browser is gone, not by `close`. */
  gone: Promise<BrowserEnd>;
  /** Ends the browser, whatever the page does. */
  close(): Promise<void>;
}

export type StoredState = NonNullable<Exclude<BrowserContextOptions['storageState'], string>>;

/** A tabletop opens one for a page of help now and then. */
const mostWindows = 100;

const viewport = { width: 1280, height: 720 };

/** Rejects with `BrowserUnavailable`. */
export async function openPage(
  startBrowser: StartBrowser,
  { guard, stored }: { guard: AddressGuard; stored?: StoredState | undefined },
): Promise<SessionPage> {
  const session = await startBrowser();
  const proxy = await startFilteringProxy({ guard });
  try {
    const context = await session.browser.newContext({
      viewport,
      proxy: { server: proxy.url },
      acceptDownloads: false,
      permissions: [],
      serviceWorkers: 'block',
      locale: 'en-US',
      ...(stored && { storageState: stored }),
    });
    await context.addInitScript(withoutPeerConnections);
    const page = await context.newPage();
    // A dialog would stop the page until somebody answers.
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
    return watch(session, { page, context, proxy });
  } catch (error) {
    await session.kill();
    await proxy.close();
    throw error;
  }
}

function watch(
  session: SessionBrowser,
  { page, context, proxy }: Pick<SessionPage, 'page' | 'context' | 'proxy'>,
): SessionPage {
  const { promise: gone, resolve } = Promise.withResolvers<BrowserEnd>();
  let isClosing = false;
  const tell = (end: BrowserEnd) => {
    if (!isClosing) resolve(end);
  };
  page.once('crash', () => tell({ what: 'its page crashed', isExcess: false }));
  // Also where the browser is gone, which is told first.
  page.once('close', () => void setImmediate(tell, { what: 'its page was closed', isExcess: false }));
  void session.ended.then(tell);
  let windows = 0;
  // What opens another window gets none.
  context.on('page', (other) => {
    other.close().catch(() => {});
    windows++;
    if (windows > mostWindows)
      tell({ what: `its page opened more than ${mostWindows} windows`, isExcess: true });
  });
  return {
    page,
    context,
    proxy,
    gone,
    async close() {
      isClosing = true;
      await session.kill();
      await proxy.close();
    },
  };
}

/** WebRTC talks to addresses that pages choose, past every proxy. */
function withoutPeerConnections(): void {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport']) {
    Reflect.deleteProperty(globalThis, name);
  }
}
