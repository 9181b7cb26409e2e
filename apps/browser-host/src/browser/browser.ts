import { findChromium } from '@tabletop-relay/chromium';
import type { Logger } from 'pino';
import type { Browser } from 'playwright-core';
import { browserEnvironment } from './browser-environment.ts';
import { asRoot, isRoot, noNamespaces, whatThatMeans } from './sandbox.ts';

/** The one Chromium of this process. It starts with the first session, and again after it crashed. */
export interface SharedBrowser {
  /** Rejects with `BrowserUnavailable`. */
  get(): Promise<Browser>;
  /** How often it was started. */
  starts(): number;
  close(): Promise<void>;
}

/** No Chromium could be started; the message says how to get one. */
export class BrowserUnavailable extends Error {
  override name = 'BrowserUnavailable';
}

export interface BrowserOptions {
  chromiumPath?: string | undefined;
  heapMb: number;
  requireSandbox: boolean;
  log: Pick<Logger, 'info' | 'warn'>;
}

export function createSharedBrowser(options: BrowserOptions): SharedBrowser {
  let running: Promise<Browser> | undefined;
  let starts = 0;

  async function start(): Promise<Browser> {
    starts++;
    const browser = await launch(options);
    browser.once('disconnected', () => (running = undefined));
    return browser;
  }

  return {
    get() {
      running ??= start().catch((error: unknown) => {
        running = undefined;
        throw error;
      });
      return running;
    },
    starts: () => starts,
    async close() {
      const browser = await running?.catch(() => undefined);
      running = undefined;
      await browser?.close();
    },
  };
}

async function launch({ chromiumPath, heapMb, requireSandbox, log }: BrowserOptions): Promise<Browser> {
  const found = await findChromium(chromiumPath).catch((cause: Error) => {
    throw new BrowserUnavailable(`No Chromium was found: ${cause.message}.`, { cause });
  });
  // Playwright is large, and most starts see no session.
  const { chromium } = await import('playwright-core');
  const open = (chromiumSandbox: boolean) =>
    chromium.launch({
      executablePath: found.command,
      env: { ...browserEnvironment(process.env), ...found.env },
      args: [...flags, `--js-flags=--max-old-space-size=${heapMb}`],
      chromiumSandbox,
    });
  if (isRoot()) {
    if (requireSandbox) throw withoutSandbox(new Error(asRoot));
  } else {
    const inSandbox = await open(true).catch((cause: unknown) => {
      if (requireSandbox) throw withoutSandbox(cause);
    });
    if (inSandbox) return inSandbox;
  }
  const browser = await open(false).catch((cause: unknown) => {
    const message = `Chromium at ${found.command} does not start. See the log of the browser host.`;
    throw new BrowserUnavailable(message, { cause });
  });
  const reason = isRoot() ? asRoot : noNamespaces;
  log.warn({ reason }, `Chromium runs without its sandbox: ${whatThatMeans}`);
  return browser;
}

function withoutSandbox(cause: unknown): BrowserUnavailable {
  const message = 'Chromium cannot run in its sandbox here, and REQUIRE_SANDBOX is on.';
  return new BrowserUnavailable(message, { cause });
}

/** What a page could use to go around the proxy is off, and so is what the browser does of its own. */
const flags = [
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // Names are resolved by the proxy alone: the browser itself finds nothing but the proxy.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--dns-prefetch-disable',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-notifications',
  '--disable-sync',
  '--metrics-recording-only',
  '--mute-audio',
  '--no-first-run',
  '--no-pings',
];
