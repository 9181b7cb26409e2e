import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard } from './dashboard.ts';
import type { TestDashboard } from './dashboard.ts';
import { expectGood, faultsIn } from './faults.ts';
import {
  addAuthenticator,
  appCode,
  finishApp,
  givePassword,
  isSignedIn,
  newOwner,
  press,
  setUpApp,
  signOut,
} from './owner.ts';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

describe('an authenticator app', () => {
  it('is set up with a code that it shows, and then asked for at sign-in', async () => {
    const owner = await setUpApp(await newOwner(dashboard));
    const { page } = owner;
    expect(owner.recoveryCodes).toHaveLength(10);
    await page.getByText('10 codes are left').waitFor();
    await signOut(owner);
    await givePassword(owner);
    await page.locator('input[autocomplete=one-time-code]:focus').waitFor();
    await appCode(page).fill('000000');
    await press(page, 'Sign in');
    await page.getByRole('alert').getByText('This code is wrong').waitFor();
    expect(await appCode(page).inputValue()).toBe('000000');
    expect(await appCode(page).getAttribute('aria-invalid')).toBe('true');
    await appCode(page).fill(await owner.newCode());
    await press(page, 'Sign in');
    await isSignedIn(page);
    expect(owner.trespasses).toEqual([]);
  });

  it('says at the field that the first code was wrong, and keeps nothing until one was right', async () => {
    const person = await newOwner(dashboard);
    const { page } = person;
    await page.goto('/dashboard/account/authenticator-app');
    await page.getByLabel('Your password').fill(person.password);
    await press(page, 'Continue');
    await page.getByLabel('Code that the app shows').fill('000000');
    await press(page, 'Turn on');
    await page.getByText('The code is wrong').waitFor();
    await page.goto('/dashboard/account');
    await page.locator('#second-factor').getByText('Off', { exact: true }).waitFor();
  });
});

describe('the passkeys of a browser', () => {
  it('are set up with a name, asked for at sign-in, renamed and removed', async () => {
    const owner = await newOwner(dashboard);
    const { page } = owner;
    await addAuthenticator(page);
    await page.goto('/dashboard/account');
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('My laptop');
    await page.getByLabel('Your password').fill(owner.password);
    await press(page, 'Continue');
    await press(page, 'I have stored them');
    await page.getByText('My laptop', { exact: true }).waitFor();
    await signOut(owner);
    await givePassword(owner);
    await press(page, 'Use a passkey');
    await isSignedIn(page);

    await page.goto('/dashboard/account');
    await press(page, 'Rename My laptop');
    await page.getByRole('textbox', { name: 'Name' }).fill('Old laptop');
    await press(page, 'Save name');
    await press(page, 'Remove Old laptop');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It is your only second factor').waitFor();
    await dialog.getByLabel('Your password').fill(owner.password);
    await press(page, 'Remove');
    await press(page, 'Use a passkey');
    await page.locator('#second-factor').getByText('Off', { exact: true }).waitFor();
    expect(owner.trespasses).toEqual([]);
  });

  it('that nobody confirms leave the person where they were, and are asked for again', async () => {
    const owner = await newOwner(dashboard);
    const { page } = owner;
    const authenticator = await addAuthenticator(page);
    await authenticator.setPresence(false);
    await page.goto('/dashboard/account/passkey');
    await page.getByLabel('Name').fill('Blue key');
    await page.getByLabel('Your password').fill(owner.password);
    // The browser gives up at once, as when its question is closed.
    await page.evaluate(() => {
      const create = navigator.credentials.create.bind(navigator.credentials);
      let isFirst = true;
      navigator.credentials.create = (options) => {
        if (!isFirst) return create(options);
        isFirst = false;
        return Promise.reject(new DOMException('closed', 'NotAllowedError'));
      };
    });
    await press(page, 'Continue');
    await page.getByText('it was cancelled').waitFor();
    await authenticator.setPresence(true);
    await press(page, 'Ask again');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  });

  it('are not offered at an address without a name or https', async () => {
    const person = await dashboard.newPerson();
    await person.register();
    await person.page.goto('/dashboard/account');
    await person.page.getByText('Passkeys need a relay with a name and https').waitFor();
    expect(await person.page.getByRole('link', { name: 'Add a passkey' }).count()).toBe(0);
  });
});

describe('recovery codes', () => {
  it('let their person in once each, are downloaded, and are made anew', async () => {
    const owner = await setUpApp(await newOwner(dashboard));
    const { page } = owner;
    const [code = ''] = owner.recoveryCodes;
    await signOut(owner);
    await givePassword(owner);
    await press(page, 'Use a recovery code');
    await page.getByLabel('Recovery code').fill(code.toLowerCase());
    await press(page, 'Sign in');
    await isSignedIn(page);

    await page.goto('/dashboard/account');
    await page.getByText('9 codes are left').waitFor();
    await press(page, 'Make new codes');
    await page.getByRole('dialog').getByLabel('Your password').fill(owner.password);
    await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click();
    await press(page, 'Use a recovery code');
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(code);
    await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click();
    await page.getByText('This is not one of your recovery codes, or it was used before.').waitFor();
    await press(page, 'Use the authenticator app');
    await appCode(page).fill(await owner.newCode());
    await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click();
    await page.locator('h1:focus', { hasText: 'Your recovery codes' }).waitFor();
    const codes = await page.locator('.codes code').allInnerTexts();
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download')]);
    const kept = await readFile(await download.path(), 'utf8');
    for (const fresh of codes) expect(kept).toContain(fresh);
    expect(kept).toContain(owner.email);
    expect(codes).not.toContain(code);
  });
});

describe('an administrator without a second factor', () => {
  it('is led to set one up, sees nothing else, and then goes on to where they were going', async () => {
    const person = await newOwner(dashboard);
    const { page } = person;
    await dashboard.instances.db
      .updateTable('accounts')
      .set({ isAdministrator: true })
      .where('email', '=', person.email)
      .execute();
    for (const path of ['/dashboard', '/dashboard/account', '/dashboard/keys']) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
      expect(await page.getByRole('navigation').count()).toBe(0);
    }
    expect(await faultsIn(page)).toEqual([]);
    await page.getByRole('link', { name: 'Set up an authenticator app' }).click();
    await page.locator('h1:focus', { hasText: 'Set up an authenticator app' }).waitFor();
    await finishApp(person);
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
    await page.getByRole('navigation').waitFor();
    expect(person.trespasses).toEqual([]);
  });

  it('who was made one while a page was open is led there by the next refusal', async () => {
    const person = await newOwner(dashboard);
    const { page } = person;
    await dashboard.instances.db
      .updateTable('accounts')
      .set({ isAdministrator: true })
      .where('email', '=', person.email)
      .execute();
    // The page may have heard of it by itself already.
    await page.evaluate(() => document.querySelector<HTMLElement>('a[href="/dashboard/keys"]')?.click());
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  });
});

it('axe finds nothing on any page of it in either theme, and all fit a phone', async () => {
  const owner = await setUpApp(await newOwner(dashboard));
  const { page } = owner;
  await page.goto('/dashboard/account');
  await page.getByText('10 codes are left').waitFor();
  await expectGood(page, 'the section of the account page');
  await page.goto('/dashboard/account/passkey');
  await page.getByLabel('Name').waitFor();
  await expectGood(page, 'a new passkey');
  await page.goto('/dashboard/account/authenticator-app');
  await page.getByLabel('Your password').fill(owner.password);
  await press(page, 'Continue');
  await appCode(page).waitFor();
  await expectGood(page, 'the question for the second factor');
  await appCode(page).fill(await owner.newCode());
  await press(page, 'Continue');
  await page.getByLabel('Code that the app shows').waitFor();
  await expectGood(page, 'the QR code');
  await page.goto('/dashboard/account');
  await press(page, 'Make new codes');
  await page.getByLabel('Your password').fill(owner.password);
  await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click();
  await appCode(page).fill(await owner.newCode());
  await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await expectGood(page, 'recovery codes');
});
