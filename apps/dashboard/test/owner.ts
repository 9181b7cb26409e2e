import { codeOf } from '@tabletop-relay/testing/scenes';
import type { Page } from 'playwright-core';
import type { TestInstances } from '../../relay/test/instances.ts';
import type { Person, TestDashboard } from './dashboard.ts';

/** A person who has an account. */
export interface Owner extends Person {
  db: TestInstances['db'];
}

/** Somebody who registers, on the address to which browsers offer passkeys. */
export async function newOwner(dashboard: TestDashboard): Promise<Owner> {
  const person = await dashboard.newPerson({ baseURL: dashboard.url.replace('127.0.0.1', 'localhost') });
  await person.register();
  return { ...person, db: dashboard.instances.db };
}

/** Presses the button of this very name. */
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

export interface OwnerWithApp extends Owner {
  recoveryCodes: string[];
  /** A code that the relay takes: it forgets the last one. */
  newCode(): Promise<string>;
}

/** Sets up an authenticator app by the pages. */
export async function setUpApp(person: Owner): Promise<OwnerWithApp> {
  const { page } = person;
  await page.goto('/dashboard/account');
  await page.getByRole('link', { name: 'Set up an authenticator app' }).click();
  return await finishApp(person);
}

/** The same from the page that it is set up on. */
export async function finishApp(person: Owner): Promise<OwnerWithApp> {
  const { page, email, db } = person;
  await page.getByLabel('Your password').fill(person.password);
  await press(page, 'Continue');
  await page.locator('h1:focus').waitFor();
  const secret = (await page.locator('.factor-steps code').innerText()).replaceAll(' ', '');
  await page.getByLabel('Code that the app shows').fill(codeOf(secret));
  await press(page, 'Turn on');
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  const recoveryCodes = await page.locator('.codes code').allInnerTexts();
  await press(page, 'I have stored them');
  return {
    ...person,
    recoveryCodes,
    async newCode() {
      const owner = db.selectFrom('accounts').select('id').where('email', '=', email);
      await db.updateTable('secondFactors').set({ lastStep: 0 }).where('accountId', '=', owner).execute();
      return codeOf(secret);
    },
  };
}

export async function givePassword({ page, email, password }: Person): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
}

export async function signOut({ page }: Person): Promise<void> {
  await page.goto('/dashboard/account');
  await press(page, 'Sign out');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

export const isSignedIn = (page: Page) =>
  page.getByRole('heading', { name: 'Tonight', exact: true }).waitFor();

export const appCode = (page: Page) => page.getByLabel('Code from your authenticator app');

/** An authenticator of Chromium's own, as the browser's developer tools have it. */
export async function addAuthenticator(page: Page) {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
  });
  return {
    setPresence: (enabled: boolean) =>
      devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
}
