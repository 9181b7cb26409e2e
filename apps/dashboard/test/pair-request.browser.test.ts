import { startAskingTabletop } from '@tabletop-relay/testing';
import type { AskingTabletop } from '@tabletop-relay/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';
import { expectGood } from './faults.ts';
import { takePicture } from './take-picture.ts';

let dashboard: TestDashboard;
let tabletop: AskingTabletop;

beforeAll(async () => {
  [dashboard, tabletop] = await Promise.all([startDashboard(), startAskingTabletop()]);
});
afterAll(async () => {
  await tabletop.stop();
  await dashboard.stop();
});

/** The tabletop in another tab of the person's browser, with the address that the pairing page shows. */
async function openTabletop({ page }: Person, address = tabletop.url): Promise<Page> {
  await page.goto('/dashboard/pair');
  const relayUrl = await page.locator('.steps code').innerText();
  expect(relayUrl).toBe(`${dashboard.url.replace('http', 'ws')}/relay`);
  const table = await page.context().newPage();
  await table.goto(address);
  await table.getByLabel('WebSocket Relay URL').fill(relayUrl);
  return table;
}

const reads = async (table: Page, id: string, text: string | RegExp) => {
  await table.locator(`#${id}`, { hasText: text }).waitFor();
};

/** Presses a button of the module and goes to the page that it opens. */
async function follow(table: Page, { page }: Person, button: string): Promise<void> {
  await table.locator('#pair-url').evaluate((link) => (link.textContent = ''));
  await table.getByRole('button', { name: button }).click();
  await expect.poll(() => table.locator('#pair-url').innerText()).not.toBe('');
  await page.goto(await table.locator('#pair-url').innerText());
}

test(
  'a module of today pairs by its button, is called, gets more permissions, and unpairs',
  { timeout: 120_000 },
  async () => {
    const person = await dashboard.newPerson();
    const { page } = person;
    const masterKey = await person.register();
    await page.goto('/dashboard/pair');
    await page.getByRole('button', { name: 'Make a code' }).click();
    await page.locator('.code-value .visually-hidden').waitFor();
    await takePicture(page, 'pair');
    const call = (path: string, init: object = {}) =>
      fetch(dashboard.url + path, { headers: { 'x-api-key': masterKey }, ...init });

    const table = await openTabletop(person);
    await follow(table, person, 'Pair with relay');
    await page.getByRole('heading', { name: 'The Sunken Chapel asks to be paired' }).waitFor();
    await page.getByText(tabletop.url.slice(0, -1)).waitFor();
    await page.getByText(/from 127\.0\.0\.1/).waitFor();
    await takePicture(page, 'pair-request');
    await page.getByText('Options:').click();
    await expectGood(page);
    await page.getByRole('button', { name: 'Pair this world' }).click();
    await reads(table, 'state', 'connected');
    await page.getByRole('heading', { name: 'Connected', exact: true }).waitFor();

    expect((await call('/players')).status).toBe(200);
    const refused = await call('/sys5e/skill-check?actorUuid=Actor.x&skill=prc', { method: 'POST' });
    expect(await refused.json()).toMatchObject({ code: 'operation_failed', reason: 'entity_not_found' });

    // Another world of the account, for which the module asks.
    const other = await openTabletop(person);
    await follow(other, person, 'Pair with relay');
    await page.getByRole('button', { name: 'Pair this world' }).click();
    await reads(other, 'state', 'connected');

    await follow(table, person, 'Ask for more');
    await page.getByRole('heading', { name: 'The Sunken Chapel asks for more permissions' }).waitFor();
    await page.getByText('Choose the browser that asks.').waitFor();
    await page.getByLabel(/connected now/).check();
    await page.locator('fieldset', { hasText: 'Other worlds' }).getByRole('checkbox').first().check();
    await page.getByLabel('See the players of your world').check();
    await page.getByLabel(/^Run scripts/).check();
    await page.getByText('Confirm that you trust it, or untick').waitFor();
    await expectGood(page);
    await page.getByLabel(/^Run scripts/).uncheck();
    await page.getByRole('button', { name: 'Grant' }).click();
    await page.getByRole('heading', { name: 'Approved', exact: true }).waitFor();
    await expectGood(page);
    await reads(table, 'state', 'upgraded');
    await reads(table, 'scopes', '["user:read"]');

    await table.getByRole('button', { name: 'Unpair' }).click();
    await reads(table, 'state', 'unpaired');
    await reads(table, 'closed', 'closed with 1000');
    expect(person.trespasses.filter((what) => !what.startsWith(tabletop.url))).toEqual([]);
  },
);

test('it pairs by code; refused, it says so; and who is not signed in comes back to the page', async () => {
  const person = await dashboard.newPerson();
  const { page } = person;
  await person.register();
  const table = await openTabletop(person);
  await page.getByRole('button', { name: 'Make a code' }).click();
  await page.locator('.code-value .visually-hidden').waitFor();
  const spelled = await page.locator('.code-value .visually-hidden').innerText();
  await table.getByLabel('Pairing code').fill(spelled.replaceAll(' ', ''));
  await table.getByRole('button', { name: 'Pair by code' }).click();
  await reads(table, 'state', 'connected');
  await page.getByRole('heading', { name: 'Connected', exact: true }).waitFor();

  await table.getByRole('button', { name: 'Pair by code' }).click();
  await reads(table, 'state', /error: .*(used|code)/i);

  await table.getByRole('button', { name: 'Pair with relay' }).click();
  await expect.poll(() => table.locator('#pair-url').innerText()).not.toBe('');
  const stranger = await dashboard.newPerson();
  await stranger.page.goto(await table.locator('#pair-url').innerText());
  await stranger.page.getByLabel('E-mail address').fill(person.email);
  await stranger.page.getByLabel('Password').fill(person.password);
  await stranger.page.getByRole('button', { name: 'Sign in' }).click();
  await stranger.page.getByRole('heading', { name: 'The Sunken Chapel asks to be paired' }).waitFor();
  await stranger.page.getByRole('button', { name: 'Deny' }).click();
  await stranger.page.getByRole('heading', { name: 'Denied', exact: true }).waitFor();
  await reads(table, 'state', 'denied');
});

test(
  'it says which world the browser joins, asks again at another address, and approves nothing that was not shown',
  { timeout: 120_000 },
  async () => {
    const person = await dashboard.newPerson();
    const { page } = person;
    await person.register();
    const elsewhere = await startAskingTabletop();
    const heading = page.getByRole('heading', { name: 'The Sunken Chapel asks to be paired' });

    const table = await openTabletop(person, `${tabletop.url}?fingerprint=same`);
    await follow(table, person, 'Pair with relay');
    await page.getByText('It becomes a new world of yours.').waitFor();
    await expectGood(page);
    await page.getByRole('button', { name: 'Pair this world' }).click();
    await reads(table, 'state', 'connected');

    await follow(table, person, 'Pair with relay');
    await page.getByText('It joins your world “The Sunken Chapel” as a further browser.').waitFor();
    await expectGood(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Denied', exact: true }).waitFor();
    await table.close();

    const other = await openTabletop(person, `${elsewhere.url}?fingerprint=same`);
    await follow(other, person, 'Pair with relay');
    await page.getByText('It would join your world “The Sunken Chapel”, from an address').waitFor();
    await page.getByText(`paired at ${new URL(tabletop.url).origin}.`).waitFor();
    await page.getByText('Say that it is your own tabletop, or deny it.').waitFor();
    expect(await page.getByRole('button', { name: 'Pair this browser' }).isDisabled()).toBe(true);
    await expectGood(page);
    await page.getByLabel(/is my own tabletop/).check();
    await page.getByRole('button', { name: 'Pair this browser' }).click();
    await reads(other, 'state', 'connected');
    await page.getByRole('heading', { name: 'Connected', exact: true }).waitFor();

    // What was shown as a new world is one of the account's by the time it is approved.
    const third = await openTabletop(person, `${tabletop.url}?fingerprint=third`);
    await page.getByRole('button', { name: 'Make a code' }).click();
    const spelled = await page.locator('.code-value .visually-hidden').innerText();
    await follow(third, person, 'Pair with relay');
    await heading.waitFor();
    await page.getByText('It becomes a new world of yours.').waitFor();
    await third.getByLabel('Pairing code').fill(spelled.replaceAll(' ', ''));
    await third.getByRole('button', { name: 'Pair by code' }).click();
    await reads(third, 'state', 'connected');
    await page.getByRole('button', { name: 'Pair this world' }).click();
    await page.getByText(/joins your world .* now, and that is not what was approved/).waitFor();
    await page.getByText('It joins your world “The Sunken Chapel” as a further browser.').waitFor();
    await page.getByRole('button', { name: 'Pair this browser' }).click();
    await page.getByRole('heading', { name: /Granted|Paired|Connected/ }).waitFor();
    await elsewhere.stop();
  },
);
