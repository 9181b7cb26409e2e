import { findChromium } from '@tabletop-relay/chromium';
import type { Chromium } from '@tabletop-relay/chromium';
import type { Logger } from 'pino';
import type { Browser } from 'playwright-core';
import { createMeteredPipe } from './metered-pipe.ts';
import { asRoot, isRoot, noNamespaces, whatThatMeans } from './sandbox.ts';
import { startChromium } from './start-chromium.ts';
import type { ChromiumProcess } from './start-chromium.ts';
import { createUsageWatch } from './usage-watch.ts';

/** A Chromium of one session. */
export interface SessionBrowser {
  browser: Browser;
  pid: number;
  /** Settles when it ended by itself or was ended for what its page did, not by `kill`. */
  ended: Promise<BrowserEnd>;
  /** Ends all of its processes, whatever the page does. */
  kill(): Promise<void>;
}

/** Why a browser is gone, as the end of a sentence. */
export interface BrowserEnd {
  what: string;
  /** Whether its page took or sent more than a page may, so that it would do so again. */
  isExcess: boolean;
}

/** Starts the browsers of sessions. Rejects with `BrowserUnavailable`. */
export type StartBrowser = () => Promise<SessionBrowser>;

/** No Chromium could be started; the message says how to get one. */
export class BrowserUnavailable extends Error {
  override name = 'BrowserUnavailable';
}

export interface BrowserOptions {
  chromiumPath?: string | undefined;
  memoryMb: number;
  requireSandbox: boolean;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Each session has a Chromium of its own, so that what its page does to it is nobody else's. */
export function createBrowsers(options: BrowserOptions): StartBrowser {
  const { chromiumPath, memoryMb, requireSandbox, log } = options;
  const usage = createUsageWatch({ memoryMb });
  let isWarned = false;
  let hasSandbox = false;

  const open = async (found: Chromium, isSandboxed: boolean): Promise<SessionBrowser> => {
    const chromium = await startChromium(found, { memoryMb, isSandboxed });
    return await connect(chromium, usage.watch);
  };

  return async () => {
    const found = await findChromium(chromiumPath).catch((cause: Error) => {
      throw new BrowserUnavailable(`No Chromium was found: ${cause.message}.`, { cause });
    });
    if (isRoot()) {
      if (requireSandbox) throw withoutSandbox(new Error(asRoot));
    } else {
      const inSandbox = await open(found, true).catch((cause: unknown) => {
        if (requireSandbox) throw withoutSandbox(cause);
        // The system lets it: what failed, as under much load, is no reason to open a page without it.
        if (hasSandbox) throw doesNotStart(found, cause);
      });
      if (inSandbox) {
        hasSandbox = true;
        return inSandbox;
      }
    }
    const browser = await open(found, false).catch((cause: unknown) => {
      throw doesNotStart(found, cause);
    });
    const reason = isRoot() ? asRoot : noNamespaces;
    if (!isWarned) log.warn({ reason }, `Chromium runs without its sandbox: ${whatThatMeans}`);
    isWarned = true;
    return browser;
  };
}

function doesNotStart({ command }: Chromium, cause: unknown): BrowserUnavailable {
  return new BrowserUnavailable(`Chromium at ${command} does not start. See the log of the browser host.`, {
    cause,
  });
}

function withoutSandbox(cause: unknown): BrowserUnavailable {
  const message = 'Chromium cannot run in its sandbox here, and REQUIRE_SANDBOX is on.';
  return new BrowserUnavailable(message, { cause });
}

async function connect(
  chromium: ChromiumProcess,
  watch: ReturnType<typeof createUsageWatch>['watch'],
): Promise<SessionBrowser> {
  const { pid, kill } = chromium;
  const { promise: ended, resolve } = Promise.withResolvers<BrowserEnd>();
  const endForExcess = (did: string) => {
    resolve({ what: did, isExcess: true });
    void kill();
  };
  const transport = createMeteredPipe(chromium, {
    onFlood: (sent) => endForExcess(`its page sent ${sent}`),
  });
  const unwatch = watch(pid, (took) => endForExcess(`its page took ${took}`));
  void chromium.ended.then(() => {
    unwatch();
    resolve({ what: 'the browser crashed', isExcess: false });
  });
  try {
    // Playwright is large, and most starts see no session.
    const { chromium: driver } = await import('playwright-core');
    // Not even a page of its own: the session's page has a context of its own.
    const connected = driver.connectOverCDP(transport, { noDefaults: true });
    // One that ended before Playwright listened is not told of by the pipe.
    const failed = ended.then(({ what }) => Promise.reject(new Error(what)));
    const browser = await Promise.race([connected, failed]);
    return { browser, pid, ended, kill };
  } catch (error) {
    await kill();
    throw new Error(`it ended, or did not answer: ${chromium.lastWords()}`, { cause: error });
  }
}
