import { findChromium } from '@tabletop-relay/chromium';
import type { Logger } from 'pino';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

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
  const open = (chromiumSandbox: boolean) =>
    chromium.launch({
      executablePath: found.command,
      env: { ...process.env, ...found.env },
      args: [...flags, `--js-flags=--max-old-space-size=${heapMb}`],
      chromiumSandbox,
    });
  const reason = process.getuid?.() === 0 ? 'it runs as root' : undefined;
  try {
    if (reason === undefined) return await open(true);
    if (requireSandbox) throw new Error(reason);
  } catch (cause) {
    if (requireSandbox) {
      throw new BrowserUnavailable('Chromium cannot run in its sandbox here, and REQUIRE_SANDBOX is on.', {
        cause,
      });
    }
  }
  const browser = await open(false).catch((cause: unknown) => {
    throw new BrowserUnavailable(
      `Chromium at ${found.command} does not start. See the log of the browser host.`,
      {
        cause,
      },
    );
  });
  log.warn(
    { reason: reason ?? 'the system gives it no user namespaces' },
    'Chromium runs without its sandbox: a page that breaks out of it has the rights of this process. Run it as another user than root, on a kernel with user namespaces.',
  );
  return browser;
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
