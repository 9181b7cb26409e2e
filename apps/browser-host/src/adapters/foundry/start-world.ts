import type { Page } from 'playwright-core';
import { StageFailure } from '../adapter.ts';
import type { StageLogin } from '../adapter.ts';
import { dialogButton, press, refusalOn, viewOf, viewUrl } from './views.ts';

/** Starts the world from the setup page where none runs. Only a person may accept a licence or migrate a world. */
export async function startWorld(page: Page, login: StageLogin): Promise<void> {
  const view = viewOf(page);
  if (view === 'license') {
    throw new StageFailure(
      'Foundry VTT asks for its licence key or agreement. Accept it in your own browser first.',
    );
  }
  if (view === 'auth') {
    throw new StageFailure(
      'No world runs, and the setup asks for the administrator’s password, which a session does not have. Start the world first.',
    );
  }
  if (view !== 'setup') return;
  await declineSharing(page);
  const id = await chooseWorld(page, login);
  const before = page.url();
  await press(page.locator(`.world[data-package-id="${id}"] [data-action=worldLaunch]`));
  await leaveSetup(page, { before, timeoutMs: login.timeoutMs });
  // Version 14 leads administrators to the list of users.
  if (viewOf(page) !== 'join' && viewOf(page) !== 'game') await page.goto(viewUrl(page, 'join'));
}

/** The first visit to a setup asks whether to send usage data: a session decides nothing for the server's owner. */
async function declineSharing(page: Page): Promise<void> {
  const decline = dialogButton(page, 'no');
  if (await decline.isVisible()) await press(decline);
}

async function chooseWorld(page: Page, { worldName, timeoutMs }: StageLogin): Promise<string> {
  const entries = page.locator('.world[data-package-id]');
  await entries.first().waitFor({ state: 'attached', timeout: timeoutMs });
  const worlds = await entries.evaluateAll((all) =>
    all.map((entry) => ({
      id: entry.getAttribute('data-package-id') ?? '',
      title: (entry.querySelector('.package-title') ?? entry).textContent.trim(),
      canLaunch: entry.querySelector('[data-action=worldLaunch]') !== null,
    })),
  );
  const names = worlds
    .map(({ title }) => title)
    .join(', ')
    .slice(0, 300);
  if (!worldName && worlds.length !== 1) {
    throw new StageFailure(`No world runs. Name the one to start: ${names}.`);
  }
  const chosen = worlds.find(({ id, title }) => !worldName || id === worldName || title === worldName);
  if (!chosen) throw new StageFailure(`There is no world ${worldName} here. There are: ${names}.`);
  if (!chosen.canLaunch)
    throw new StageFailure(`The world ${chosen.title} cannot be started: it is locked or lacks its system.`);
  return plainId.test(chosen.id) ? chosen.id : refuseId(chosen.id);
}

/** Ids of packages have no other characters, so that one can stand in a selector. */
const plainId = /^[\w.-]+$/;

function refuseId(id: string): never {
  throw new StageFailure(`The id of this world is none of Foundry VTT: ${id.slice(0, 50)}.`);
}

async function leaveSetup(
  page: Page,
  { before, timeoutMs }: { before: string; timeoutMs: number },
): Promise<void> {
  const migration = dialogButton(page, 'yes');
  const refusal = refusalOn(page);
  const outcome = await Promise.race([
    page
      .waitForURL((url) => url.href !== before, { timeout: timeoutMs, waitUntil: 'domcontentloaded' })
      .then(() => 'left'),
    migration.waitFor({ timeout: timeoutMs }).then(() => 'migration'),
    refusal.waitFor({ timeout: timeoutMs }).then(() => 'refusal'),
  ]);
  if (outcome === 'migration') {
    throw new StageFailure(
      'The world must be migrated to this version of Foundry VTT first, which cannot be undone. Start it once in your own browser.',
    );
  }
  if (outcome === 'refusal') throw new StageFailure(`Foundry VTT says: ${await refusal.innerText()}`);
}
