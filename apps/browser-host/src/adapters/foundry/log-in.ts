import type { Locator, Page } from 'playwright-core';
import { StageFailure } from '../adapter.ts';
import type { StageLogin } from '../adapter.ts';
import { press, refusalOn, viewOf, viewUrl } from './views.ts';

/** Joins as a user. A page that its cookies have led into the game already has nothing to do. */
export async function logIn(page: Page, login: StageLogin): Promise<void> {
  const { username, typePassword, timeoutMs } = login;
  if (viewOf(page) === 'other' || viewOf(page) === 'players') await page.goto(viewUrl(page, 'join'));
  if (viewOf(page) === 'game') return;
  const users = page.locator('select[name=userid]');
  await users.waitFor({ timeout: timeoutMs });
  const { value, isActive } = await findUser(users, username);
  if (!typePassword) {
    throw new StageFailure(
      'Foundry VTT asks for the password again, and none is kept. Start the session again.',
    );
  }
  if (isActive) {
    throw new StageFailure(
      `${username} is logged in already. Log out in the other browser, or take another user.`,
    );
  }
  await users.selectOption(value);
  await typePassword(page.locator('input[name=password]'));
  await press(page.locator('button[name=join], .join-form button[type=submit]'));
  const refusal = refusalOn(page);
  await Promise.race([
    page.waitForURL((url) => url.pathname.endsWith('/game'), { timeout: timeoutMs, waitUntil: 'commit' }),
    refusal.waitFor({ timeout: timeoutMs }),
  ]);
  if (viewOf(page) !== 'game') throw new StageFailure(`Foundry VTT says: ${await refusal.innerText()}`);
}

/** A user who is in the game is listed and cannot be chosen. */
async function findUser(users: Locator, username: string): Promise<{ value: string; isActive: boolean }> {
  await users.locator('option[value]:not([value=""])').first().waitFor({ state: 'attached' });
  const all = await users.locator('option').evaluateAll((options: HTMLOptionElement[]) =>
    options.map(({ value, textContent, disabled }) => ({
      value,
      name: textContent.trim(),
      isActive: disabled,
    })),
  );
  const user = all.find(({ name, value }) => value !== '' && name === username);
  if (user) return user;
  const names = all.filter(({ value }) => value).map(({ name }) => name);
  throw new StageFailure(
    `There is no user ${username} in this world. There are: ${names.join(', ').slice(0, 300)}.`,
  );
}
