import type { BrowserContext, Page } from 'playwright-core';
import { startServer } from './server/server.js';
import type { FoundryServer, ServerOptions } from './server/server.js';

/** The pairs of core and dnd5e that exist, oldest first. */
export const foundryPairs = [
  { core: 12, dnd5e: '3.3' },
  { core: 12, dnd5e: '4.4' },
  { core: 13, dnd5e: '4.4' },
  { core: 13, dnd5e: '5.3' },
  { core: 14, dnd5e: '5.3' },
  { core: 14, dnd5e: '6.0' },
] as const satisfies Pick<ServerOptions, 'core' | 'dnd5e'>[];

export type FoundryPair = (typeof foundryPairs)[number];

/** What a page noted: members that the version lacks, deprecated ones, errors of hooks and modules, notifications. */
export interface FoundryRecords {
  /** A member that the version has and nobody built here yet throws as well: `(not built)` stands after its name. */
  unknown: string[];
  deprecated: string[];
  errors: string[];
  notified: string[];
}

/** A browser tab in a world. */
export interface FoundryTab {
  page: Page;
  records(): Promise<FoundryRecords>;
  /** Listeners of each hook that has one. */
  listeners(): Promise<Record<string, number>>;
  /**
   * The tab is behind another: no animation frames, timers once a second, and after five minutes chains of them once a minute.
   * `page.waitForFunction` waits for frames, so poll with `page.evaluate` while it is hidden.
   */
  hide(options?: { minutes?: number }): Promise<void>;
  show(): Promise<void>;
  /** The machine sleeps: no timer and no frame, and every socket is lost, of which the page hears when it wakes. */
  sleep(): Promise<void>;
  wake(): Promise<void>;
  /** Reloads the page up to `ready`. */
  reload(): Promise<void>;
  /** What the next dice show, in order. */
  fixDice(...faces: number[]): Promise<void>;
}

export interface FoundryWorld extends FoundryServer {
  /** Opens the game as a user, by name, and waits for `ready`. Tabs of one context are one browser, whose user is the last that joined. */
  join(context: BrowserContext, user: string): Promise<FoundryTab>;
}

/**
 * A stand-in of a Foundry world in a browser: strict by the tables in `facts`, so that a member which the version lacks throws its
 * name. Written from public names and shapes alone; what it does beyond them is marked where it does it.
 */
export async function startFoundryWorld(options: ServerOptions): Promise<FoundryWorld> {
  const server = await startServer(options);
  return {
    ...server,
    async join(context, user) {
      const page = await context.newPage();
      await page.goto(`${server.url}/join?user=${encodeURIComponent(user)}`);
      await isReady(page);
      return tabOf(server, page, user);
    },
  };
}

declare global {
  /** The stand-in's own hands, in its pages. */
  var standIn: {
    records: FoundryRecords;
    isReady?: boolean;
    hide(options?: { minutes?: number }): void;
    show(): void;
    sleep(): void;
    wake(): void;
    wait(ms: number): Promise<void>;
    listeners(): Record<string, number>;
    fixDice(...faces: number[]): void;
  };
}

async function isReady(page: Page): Promise<void> {
  await page.waitForFunction(() => globalThis.standIn.isReady === true);
}

function tabOf(server: FoundryServer, page: Page, user: string): FoundryTab {
  return {
    page,
    records: () => page.evaluate(() => globalThis.standIn.records),
    listeners: () => page.evaluate(() => globalThis.standIn.listeners()),
    hide: (options = {}) => page.evaluate((given) => globalThis.standIn.hide(given), options),
    show: () => page.evaluate(() => globalThis.standIn.show()),
    async sleep() {
      await page.evaluate(() => globalThis.standIn.sleep());
      const found = server.world().documents['users']?.find(({ name }) => name === user);
      if (found) server.drop(found._id);
    },
    wake: () => page.evaluate(() => globalThis.standIn.wake()),
    async reload() {
      await page.reload();
      await isReady(page);
    },
    fixDice: (...faces) => page.evaluate((given) => globalThis.standIn.fixDice(...given), faces),
  };
}
