import { passwordRule } from '@tabletop-relay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard } from './dashboard.ts';
import type { TestDashboard } from './dashboard.ts';
import { faultsIn } from './faults.ts';
import { press } from './owner.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

describe('the list of sessions', () => {
  it('tells of each when it was used last and when it ends', async () => {
    const person = await dashboard.newPerson();
    await person.register();
    await person.page.goto('/dashboard/account');
    const row = person.page.getByRole('listitem').filter({ hasText: 'This one' });
    await row.getByText('last used just now').waitFor();
    await row.getByText('Ends in 7 days, unless it is used before.').waitFor();
  });

  it('ends another one for the password', async () => {
    const person = await dashboard.newPerson();
    await person.register();
    const { page, email, password } = person;
    const login = await fetch(`${dashboard.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const { sessionToken } = (await login.json()) as { sessionToken: string };
    await page.goto('/dashboard/account');
    await page.getByRole('button', { name: /^End session in/ }).click();
    const dialog = page.getByRole('dialog', { name: /^End the session in/ });
    await dialog.getByLabel('Your password').fill('not my password');
    await press(page, 'End session');
    await dialog.getByText('The password is wrong.').waitFor();
    expect(await faultsIn(page)).toEqual([]);
    await dialog.getByLabel('Your password').fill(password);
    await press(page, 'End session');
    await page.getByRole('button', { name: /^End session in/ }).waitFor({ state: 'detached' });
    const headers = { authorization: `Bearer ${sessionToken}` };
    expect((await fetch(`${dashboard.url}/auth/account`, { headers })).status).toBe(401);
  });
});

describe('a page on which a password is chosen', () => {
  it('tells the rule, and why the relay refused one', async () => {
    const { page, email } = await dashboard.newPerson();
    await page.goto('/dashboard/register');
    expect(await page.locator('.hint').innerText()).toBe(passwordRule.hint);
    await page.getByLabel('E-mail address').fill(email);
    for (const [password, said] of [
      ['tabletop-relay-2026', `The password ${passwordRule.knownWords}.`],
      ['qwertz12345', `The password ${passwordRule.easyToGuess}.`],
      // A field with a greatest length would cut it off without a word.
      ['correct horse '.repeat(10), 'A password has 10 to 128 characters.'],
    ] as const) {
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Open account' }).click();
      await page.getByText(said).waitFor();
    }
  });
});
