import type { JSHandle, Page } from 'playwright-core';
import { StageFailure } from './adapter.ts';
import type { Adapter, ModuleSettings, StageLogin, WorldOnPage } from './adapter.ts';

interface PlayedWorld {
  user: { isGameMaster: boolean };
  settings: { clientId: string; pairedRelayUrl: string };
  world: WorldOnPage['world'];
}

/** The demo world: a page at `/login`, its world at `/play`. */
export const demoWorld: Adapter = {
  name: 'the demo world',
  recognises: (page) =>
    page.evaluate(() => document.querySelector('meta[name=tabletop][content=demo-world]') !== null),
  stages: [
    { name: 'login', run: logIn },
    { name: 'world', run: enterWorld },
  ],
  module: {
    async read(shown) {
      const { user, settings, world } = await readWorld(shown);
      return { world, ...settings, isGameMaster: user.isGameMaster };
    },
    write: (shown, settings) => shown.evaluate(writeSettings, settings),
    takeBack: (shown, taken) =>
      shown.evaluate(writeSettings, {
        ...(taken.clientId !== undefined && { clientId: '' }),
        ...(taken.pairedRelayUrl !== undefined && { pairedRelayUrl: '' }),
        connectionToken: '',
      }),
    restart: async (page) => void (await page.reload({ waitUntil: 'domcontentloaded' })),
  },
};

async function logIn(page: Page, { username, typePassword, timeoutMs }: StageLogin): Promise<void> {
  await page.goto(new URL('play', page.url()).href, { waitUntil: 'domcontentloaded' });
  if (page.url().endsWith('/play')) return;
  if (!typePassword) throw new StageFailure('The demo world asks for the password again.');
  const user = page.locator('select[name=user]');
  await user.locator('option').first().waitFor({ state: 'attached', timeout: timeoutMs });
  const names = await user.locator('option').allInnerTexts();
  if (!names.includes(username)) throw new StageFailure(`There is no user ${username} here.`);
  await user.selectOption(username);
  await typePassword(page.locator('input[name=password]'));
  await page.getByRole('button', { name: 'Log in' }).click();
  const problem = page.getByRole('alert').filter({ hasText: /\S/ });
  await Promise.race([
    page.waitForURL('**/play', { timeout: timeoutMs, waitUntil: 'commit' }),
    problem.waitFor({ timeout: timeoutMs }),
  ]);
  if (page.url().endsWith('/play')) return;
  throw new StageFailure(`The demo world says: ${(await problem.innerText()).replace(/^\W+/, '')}`);
}

async function enterWorld(page: Page, { worldName, timeoutMs }: StageLogin): Promise<void> {
  await page.locator('main.board').waitFor({ timeout: timeoutMs });
  const { world } = await readWorld(await page.evaluateHandle(() => document));
  if (worldName && worldName !== world.worldId && worldName !== world.worldTitle) {
    throw new StageFailure(`There is no world ${worldName} here: this is ${world.worldTitle}.`);
  }
}

async function readWorld(shown: JSHandle<Document>): Promise<PlayedWorld> {
  return await shown.evaluate(async () => {
    const response = await fetch('play/world');
    return (await response.json()) as PlayedWorld;
  });
}

/** Runs in the page. */
async function writeSettings(
  _shown: Document,
  { clientId, pairedRelayUrl, connectionToken }: ModuleSettings,
): Promise<void> {
  const tokenKey = 'demo-world.connectionToken';
  if (connectionToken) localStorage.setItem(tokenKey, connectionToken);
  else localStorage.removeItem(tokenKey);
  if (clientId === undefined && pairedRelayUrl === undefined) return;
  const response = await fetch('play/world');
  const { settings } = (await response.json()) as PlayedWorld;
  await fetch('play/settings', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      clientId: clientId ?? settings.clientId,
      pairedRelayUrl: pairedRelayUrl ?? settings.pairedRelayUrl,
    }),
  });
}
