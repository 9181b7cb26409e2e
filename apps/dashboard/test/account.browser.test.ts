import { passwordRule } from '@tabletop-relay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard } from './dashboard.ts';
import type { TestDashboard } from './dashboard.ts';
import { faultsIn } from './faults.ts';
import { press } from './owner.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard({ signInLinks: true });
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
    await dialog.getByText('That is not your password.', { exact: true }).waitFor();
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

describe('the link that a start prints', () => {
  const linkOf = async (email: string) =>
    `/dashboard/sign-in#link=${await dashboard.instances.instances[0].relay.createSignInLink(email)}`;

  it('asks, signs in once, and leaves its secret nowhere', async () => {
    const [owner, person] = [await dashboard.newPerson(), await dashboard.newPerson()];
    await owner.register();
    const link = await linkOf(owner.email);
    const { page } = person;
    await page.goto('/dashboard/sign-in');
    // Pasted into an open page it loads nothing.
    await page.goto(link);
    await page.getByRole('heading', { name: 'Sign in to the demo account' }).waitFor();
    expect(page.url()).toBe(`${dashboard.url}/dashboard/sign-in`);
    expect(await faultsIn(page)).toEqual([]);
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Tonight', exact: true }).waitFor();
    await page.goto('/dashboard/account');
    await page.locator('main').getByText(owner.email).waitFor();
    await page.context().clearCookies();
    await page.goto('about:blank');
    await page.goto(link);
    await press(page, 'Sign in');
    await page.getByText('This link does not work any more.').waitFor();
    expect(await faultsIn(page)).toEqual([]);
  });

  it('takes nobody out of their own account unseen', async () => {
    const [sender, person] = [await dashboard.newPerson(), await dashboard.newPerson()];
    await sender.register();
    await person.register();
    const { page } = person;
    await page.goto(await linkOf(sender.email));
    await page.getByText(`You are signed in as ${person.email}.`).waitFor();
    expect(await faultsIn(page)).toEqual([]);
    await press(page, 'Stay in my account');
    await page.getByRole('heading', { name: 'Tonight', exact: true }).waitFor();
    await page.goto(await linkOf(sender.email));
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Tonight', exact: true }).waitFor();
    await page.goto('/dashboard/account');
    await page.locator('main').getByText(sender.email).waitFor();
    expect(await page.locator('main').getByText(person.email).count()).toBe(0);
  });
});
