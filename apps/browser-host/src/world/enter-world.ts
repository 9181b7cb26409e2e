import { storable } from '@tabletop-relay/database';
import type { Page } from 'playwright-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { StageFailure } from '../adapters/adapter.ts';
import type { Adapter, StageLogin } from '../adapters/adapter.ts';
import { refusedBy } from '../proxy/connections.ts';
import type { SessionPage } from '../browser/open-page.ts';

/** Tells which stage the session is at. */
export type TellStage = (stage: string) => Promise<void>;

const lookEveryMs = 200;
/** A tabletop's pages say what they are as soon as they are read. */
const recognisedWithinMs = 10_000;

/** Opens the tabletop's address and finds out which tabletop it is. Throws `StageFailure`. */
export async function openTabletop(
  { page, proxy }: SessionPage,
  adapters: readonly Adapter[],
  { tabletopUrl, timeoutMs }: Pick<StageLogin, 'tabletopUrl' | 'timeoutMs'>,
): Promise<Adapter> {
  try {
    const response = await page.goto(tabletopUrl, { waitUntil: 'domcontentloaded', timeout: timeoutMs });
    const isRefused = response?.headers()[refusedBy] !== undefined;
    const deadline = performance.now() + Math.min(timeoutMs / 3, recognisedWithinMs);
    while (!isRefused && performance.now() < deadline) {
      for (const adapter of adapters) if (await adapter.recognises(page).catch(() => false)) return adapter;
      await sleep(lookEveryMs);
    }
  } catch (error) {
    const [refusal] = proxy.refusals();
    if (refusal !== undefined) throw new StageFailure(`${refusal}.`, { cause: error });
    if (isTimeout(error)) {
      throw new StageFailure(`${tabletopUrl} did not load in ${timeoutMs / 1000} s.`, { cause: error });
    }
    throw new StageFailure(`${tabletopUrl} could not be opened: ${reasonOf(error)}.`, { cause: error });
  }
  const [refusal] = proxy.refusals();
  if (refusal !== undefined) throw new StageFailure(`${refusal}.`);
  throw new StageFailure(`This is no tabletop that is known here. ${await describePage(page)}`);
}

/** Goes the adapter's stages into the world. Throws `StageFailure`. */
export async function enterWorld(
  page: Page,
  adapter: Adapter,
  { login, tell }: { login: StageLogin; tell: TellStage },
): Promise<void> {
  for (const stage of adapter.stages) {
    await tell(stage.name);
    await stage.run(page, login).catch((error: unknown) => explain(page, error));
  }
}

/** What Playwright reports names selectors and call logs: the account is told what the page showed instead. */
export async function explain(page: Page, error: unknown): Promise<never> {
  if (error instanceof StageFailure || page.isClosed()) throw error;
  const what = isTimeout(error) ? 'The page did not go on.' : `${reasonOf(error)}.`;
  throw new StageFailure(`${what} ${await describePage(page)}`, { cause: error });
}

/** By its name, for Playwright itself is loaded with the first session only. */
const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

function reasonOf(error: unknown): string {
  const [line = ''] = (error as Error).message.split('\n');
  return line.replace(/^[\w.]+: /, '').replace(/ at https?:.*/, '');
}

const shownLength = 200;
const readWithinMs = 1_000;

/** A page in a loop without end tells nothing, not even its title. */
async function readSoon(text: Promise<string>): Promise<string> {
  return await Promise.race([text.catch(() => ''), sleep(readWithinMs, '')]);
}

async function describePage(page: Page): Promise<string> {
  const title = await readSoon(page.title());
  const text = await readSoon(page.locator('body').innerText());
  const shown = storable(text.replaceAll(/\s+/g, ' ').trim(), shownLength);
  return `It is titled “${storable(title, 100)}” and shows: ${shown || 'nothing'}`;
}
