import { requestKey } from '@tabletop-relay/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pairDemoWorld, startDashboard } from '../dashboard.ts';
import type { Person, TestDashboard } from '../dashboard.ts';
import { faultsIn, widthBeyondPage } from '../faults.ts';
import { finishApp, newOwner, press, signOut } from '../owner.ts';
import { comeBack, refusal, refuse } from './trouble.ts';

let dashboard: TestDashboard;
let master: Person;
let world: Awaited<ReturnType<typeof pairDemoWorld>>;
let worldId: string;

beforeAll(async () => {
  dashboard = await startDashboard();
  master = await dashboard.newPerson();
  await master.register();
  world = await pairDemoWorld(master, dashboard.url);
  worldId = world.clientId;
});
afterEach(() => master.page.unrouteAll());
afterAll(async () => {
  world.close();
  await dashboard.stop();
});

describe('a relay that cannot say who is signed in', () => {
  it('signs nobody out: the page says so, asks again on request, and goes on', async () => {
    const { page, trespasses } = master;
    const end = await refuse(page, '/auth/account');
    await page.goto('/dashboard/worlds');
    await page.getByRole('heading', { name: 'Your account could not be read' }).waitFor();
    await refusal(page).waitFor();
    expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
    expect(await faultsIn(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => widthBeyondPage(page)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 720 });
    await end();
    await press(page, 'Ask again');
    await page.getByRole('heading', { name: 'Worlds', exact: true }).waitFor();
    await page.getByRole('button', { name: `Account of ${master.email}` }).waitFor();
    expect(trespasses).toEqual([]);
  });

  it('leaves the page of who is known to be in as it is', async () => {
    const { page } = master;
    await page.goto('/dashboard/worlds');
    await page.getByRole('button', { name: `Account of ${master.email}` }).waitFor();
    await refuse(page, '/auth/account');
    const asked = page.waitForResponse('**/auth/account');
    await comeBack(page);
    expect((await asked).status()).toBe(503);
    await page.getByRole('heading', { name: 'Worlds', exact: true }).waitFor();
    await page.getByRole('button', { name: `Account of ${master.email}` }).waitFor();
  });

  it('does not hide the recovery codes that were made just before', async () => {
    const owner = await newOwner(dashboard);
    await owner.page.goto('/dashboard/account/authenticator-app');
    await owner.page.getByLabel('Your password').waitFor();
    await refuse(owner.page, '/auth/account');
    const { recoveryCodes } = await finishApp(owner);
    expect(recoveryCodes).toHaveLength(10);
  });

  it('does not show the form again to who has just signed in', async () => {
    const person = await dashboard.newPerson();
    await person.register();
    await signOut(person);
    const { page, email, password } = person;
    const end = await refuse(page, '/auth/account');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Your account could not be read' }).waitFor();
    await end();
    await press(page, 'Ask again');
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  });
});

describe('a call of Try it that the relay does not answer', () => {
  const send = async (operation: string, answer: { status: number; body: string } | undefined) => {
    const { page } = master;
    await page.goto(`/dashboard/try?operation=${operation}`);
    const isTheCall = ({ pathname }: URL) => pathname.endsWith(`/${operation}`);
    await page.route(isTheCall, (route) => (answer ? route.fulfill(answer) : route.abort()));
    await press(page, 'Send call');
    await page.locator('.notice.bad').waitFor();
    return await page.locator('.notice.bad').innerText();
  };

  it('may have been carried out if it is a command, and says so in place of asking to repeat it', async () => {
    const said = await send('skill-check', undefined);
    expect(said).toContain('It may have been carried out: look before you repeat it.');
    expect(said).not.toContain('try again');
  });

  it('may be repeated if it only reads', async () => {
    expect(await send('players', undefined)).toContain('Check your connection and try again.');
  });

  it('says the same where a proxy answers in its place', async () => {
    const said = await send('skill-check', { status: 502, body: '<h1>Bad Gateway</h1>' });
    expect(said).toContain('look before you repeat it.');
  });
});

it('a sign-in that the relay does not answer may be repeated', async () => {
  const { page } = await dashboard.newPerson();
  await page.goto('/dashboard/sign-in');
  await page.route('**/auth/login', (route) => route.abort());
  await page.getByLabel('E-mail address').fill('gm@example.org');
  await page.getByLabel('Password').fill('a password that is long');
  await press(page, 'Sign in');
  await page.getByText('Check your connection and try again.').waitFor();
});

describe('a list that could not be read', () => {
  it('of worlds is not told as none, where a key is approved', async () => {
    const { page } = master;
    const { approvalUrl } = await requestKey({ url: dashboard.url, appName: 'Lamp', scopes: ['world:read'] });
    await refuse(page, '/auth/known-clients');
    await page.goto(approvalUrl);
    await page.getByLabel('Only these:').check();
    await refusal(page).waitFor();
    expect(await page.getByText('You have paired no world yet.').count()).toBe(0);
    expect(await faultsIn(page)).toEqual([]);
  });

  it('of keys is not told as one without this key', async () => {
    const { page } = master;
    const end = await refuse(page, '/auth/api-keys');
    await page.goto('/dashboard/keys/00000000-0000-4000-8000-000000000000');
    await page.getByRole('heading', { name: 'Key', exact: true }).waitFor();
    await refusal(page).waitFor();
    await end();
    await page.reload();
    await page.getByRole('heading', { name: 'No such key' }).waitFor();
  });

  it('of browsers is told where a world asks for more', async () => {
    const { page } = master;
    const asked = await fetch(`${dashboard.url}/auth/pair-request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://table.example' },
      body: JSON.stringify({ worldId: 'chapel', clientId: worldId, upgradeOnly: true }),
    });
    expect(asked.status).toBe(200);
    const { pairUrl } = (await asked.json()) as { pairUrl: string };
    await refuse(page, '/auth/connection-tokens');
    await page.goto(pairUrl);
    await page.getByText('Your browsers could not be read.').waitFor();
    await refusal(page).waitFor();
    expect(await page.getByText('Choose the browser that asks.').count()).toBe(0);
  });
});
