import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard } from './dashboard.ts';
import type { TestDashboard } from './dashboard.ts';
import { appCode, givePassword, isSignedIn, newOwner, press, setUpApp, signOut } from './owner.ts';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

describe('wherever the password is asked for, the second factor is too', () => {
  it('a changed password: what was typed stays on the way back', async () => {
    const owner = await setUpApp(await newOwner(dashboard));
    const { page } = owner;
    const newPassword = `${owner.password} and more`;
    await page.goto('/dashboard/account');
    await page.getByLabel('Current password').fill(owner.password);
    await page.getByLabel('New password').fill(newPassword);
    await press(page, 'Change password');
    await appCode(page).waitFor();
    await press(page, 'Back to the password');
    await page.locator('input[autocomplete=current-password]:focus').waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe(newPassword);
    await press(page, 'Change password');
    await appCode(page).fill(await owner.newCode());
    await press(page, 'Change password');
    await page.getByText('Password changed.').waitFor();
  });

  it('a new master key', async () => {
    const owner = await setUpApp(await newOwner(dashboard));
    const { page } = owner;
    await page.goto('/dashboard/account');
    await press(page, 'Regenerate master key');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(owner.password);
    await dialog.getByRole('button', { name: 'Regenerate master key' }).click();
    await appCode(page).fill(await owner.newCode());
    await dialog.getByRole('button', { name: 'Regenerate master key' }).click();
    await page.getByRole('heading', { name: 'Your new master key' }).waitFor();
  });

  it('the end of the account', async () => {
    const owner = await setUpApp(await newOwner(dashboard));
    const { page } = owner;
    await page.goto('/dashboard/account');
    await press(page, 'Delete account');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(owner.password);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await appCode(page).fill(await owner.newCode());
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await givePassword(owner);
    await page.getByRole('alert').getByText('E-mail or password is wrong').waitFor();
  });
});

describe('a challenge that ran out while the person was typing', () => {
  const oldChallenge = async (page: Page, expiresAt: number) =>
    await page.route(
      '**/auth/login',
      async (route) => {
        const response = await route.fetch();
        const problem = (await response.json()) as object;
        const challengeExpiresAt = new Date(expiresAt).toISOString();
        await route.fulfill({ response, json: { ...problem, challenge: 'ran-out', challengeExpiresAt } });
      },
      { times: 1 },
    );

  it('is replaced without a word', async () => {
    const owner = await setUpApp(await newOwner(dashboard));
    const { page } = owner;
    await signOut(owner);
    await oldChallenge(page, Date.now() - 1);
    await givePassword(owner);
    await appCode(page).fill(await owner.newCode());
    await press(page, 'Sign in');
    await isSignedIn(page);
  });

  it('loses nothing of what was typed where the browser’s clock is late', async () => {
    const owner = await setUpApp(await newOwner(dashboard));
    const { page } = owner;
    await signOut(owner);
    await oldChallenge(page, Date.now() + 3_600_000);
    await givePassword(owner);
    await appCode(page).fill(await owner.newCode());
    await press(page, 'Sign in');
    await page.getByText('came too late').waitFor();
    await press(page, 'Sign in');
    await isSignedIn(page);
  });
});
