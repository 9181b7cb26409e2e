import type { AddressGuard } from '@tabletop-relay/outbound';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startFilteringProxy } from '../proxy/filtering-proxy.ts';
import type { FilteringProxy } from '../proxy/filtering-proxy.ts';
import type { SharedBrowser } from './browser.ts';

/** One session's page, in a context of its own: nothing of it is on disk, and nothing is left when it closes. */
export interface SessionPage {
  page: Page;
  context: BrowserContext;
  proxy: FilteringProxy;
  /** Settles when the page or the whole browser is gone, not by `close`. */
  crashed: Promise<string>;
  close(): Promise<void>;
}

export type StoredState = NonNullable<Exclude<BrowserContextOptions['storageState'], string>>;

const viewport = { width: 1280, height: 720 };

export async function openPage(
  browser: SharedBrowser,
  { guard, stored }: { guard: AddressGuard; stored?: StoredState | undefined },
): Promise<SessionPage> {
  const shared = await browser.get();
  const proxy = await startFilteringProxy({ guard });
  let context: BrowserContext | undefined;
  try {
    context = await shared.newContext({
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
    // What opens another window gets none. A dialog would stop the page until somebody answers.
    context.on('page', (other) => void other.close().catch(() => {}));
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
    return watch({ page, context, proxy });
  } catch (error) {
    await context?.close().catch(() => {});
    await proxy.close();
    throw error;
  }
}

function watch({ page, context, proxy }: Pick<SessionPage, 'page' | 'context' | 'proxy'>): SessionPage {
  const { promise: crashed, resolve } = Promise.withResolvers<string>();
  let isClosing = false;
  const tell = (what: string) => {
    if (!isClosing) resolve(what);
  };
  page.once('crash', () => tell('its page crashed'));
  page.once('close', () => tell('its page was closed'));
  context.browser()?.once('disconnected', () => tell('the browser crashed'));
  return {
    page,
    context,
    proxy,
    crashed,
    async close() {
      isClosing = true;
      await context.close().catch(() => {});
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
