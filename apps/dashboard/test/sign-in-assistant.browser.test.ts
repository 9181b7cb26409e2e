import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../../relay/test/mcp/assistant.ts';
import { TestProgram, authorizeUrl, connect, openTransport, pkce } from '../../relay/test/oauth/program.ts';
import { pairDemoWorld, startDashboard } from './dashboard.ts';
import type { TestDashboard } from './dashboard.ts';
import { expectGood } from './faults.ts';
import { appCode, newOwner, press, setUpApp } from './owner.ts';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await startDashboard({ count: 2 });
});
afterAll(() => dashboard.stop());

/** A program on the person's computer, which is told there what was decided. */
async function startCallback() {
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Back</title><h1>Back</h1>');
    if (pathname === '/callback') resolve(searchParams);
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/callback`,
    answer: promise,
    stop: () => new Promise((stopped) => void server.close(stopped)),
  };
}

test(
  'a program is signed in by three presses and rolls, and ends within a second of its revocation',
  { timeout: 120_000 },
  async () => {
    const { url } = dashboard;
    const second = dashboard.instances.instances[1]!;
    const person = await dashboard.newPerson();
    const { page } = person;
    await person.register();
    const module = await pairDemoWorld(person, url);
    const callback = await startCallback();
    const program = new TestProgram({ redirectUri: callback.url, name: 'Claude' });
    expect(await connect(url, program)).toBeUndefined();
    let presses = 0;
    const press = async (locator: ReturnType<Page['getByText']>) => {
      presses++;
      await locator.click();
    };

    await page.goto(String(program.ledTo));
    await page
      .getByRole('heading', { level: 1, name: 'A program on this computer wants to use your worlds' })
      .waitFor();
    await page.getByText('“Claude”').waitFor();
    expect(await page.getByRole('radio', { name: 'Ask' }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: /The Sunken Chapel/ }).isChecked()).toBe(false);
    expect(await page.getByRole('button', { name: 'Let it in' }).isDisabled()).toBe(true);
    await expectGood(page);
    await press(page.getByText('Run the table', { exact: true }));
    await press(page.getByRole('checkbox', { name: /The Sunken Chapel/ }));
    await press(page.getByRole('button', { name: 'Let it in' }));
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    const answer = await callback.answer;
    expect(answer.get('iss')).toBe(url);
    await openTransport(url, program).finishAuth(answer);
    const client = (await connect(url, program))!;
    expect((await ask(client, 'roll', { formula: '1d20' })).isError).toBe(false);
    expect(presses).toBeLessThanOrEqual(4);

    await page.goto('/dashboard/keys');
    const row = page.getByRole('row', { name: /Claude/ });
    await row.getByText('Signed in').waitFor();
    const elsewhere = (await connect(second.url, program))!;
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Revoke/ })
      .click();
    await row.waitFor({ state: 'detached' });
    const revokedAt = performance.now();
    const calls = [client, elsewhere].map((one) =>
      expect
        .poll(
          () =>
            ask(one, 'worlds').then(
              () => 'answered',
              () => 'refused',
            ),
          { timeout: 5_000, interval: 20 },
        )
        .toBe('refused'),
    );
    await Promise.all(calls);
    expect(performance.now() - revokedAt).toBeLessThan(5_000);

    await Promise.allSettled([client.close(), elsewhere.close()]);
    module.close();
    await callback.stop();
    expect(
      person.trespasses.filter((what) => !what.startsWith(callback.url.replace('/callback', ''))),
    ).toEqual([]);
  },
);

test('sign-in comes between and leads back, and a link that was forwarded is decided by nobody', async () => {
  const { url } = dashboard;
  const owner = await dashboard.newPerson();
  await owner.register();
  const program = new TestProgram({ name: 'Claude' });
  await connect(url, program);
  const fresh = await dashboard.newPerson();
  await fresh.page.goto(String(program.ledTo));
  await fresh.page.getByLabel('E-mail address').fill(owner.email);
  await fresh.page.getByLabel('Password').fill(owner.password);
  await fresh.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await fresh.page.getByRole('heading', { level: 1, name: 'claude.ai wants to use your worlds' }).waitFor();
  await owner.page.goto(fresh.page.url());
  await owner.page.getByRole('heading', { level: 1, name: 'Opened in another browser' }).waitFor();
  await expectGood(owner.page);
  expect(await owner.page.getByRole('button', { name: 'Let it in' }).count()).toBe(0);
});

test('the second factor comes between too, and leads back to the same request', async () => {
  const owner = await setUpApp(await newOwner(dashboard));
  const program = new TestProgram({ name: 'Claude' });
  await connect(dashboard.url, program);
  const { page } = await dashboard.newPerson();
  // Where it would lead: the program of another host, which no test reaches.
  await page.route('https://claude.ai/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Back</h1>' }));
  await page.goto(String(program.ledTo));
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await press(page, 'Sign in');
  await appCode(page).fill('000000');
  await press(page, 'Sign in');
  await page.getByRole('alert').getByText('This code is wrong').waitFor();
  await appCode(page).fill(await owner.newCode());
  await press(page, 'Sign in');
  await page.getByRole('heading', { level: 1, name: 'claude.ai wants to use your worlds' }).waitFor();
  await page.reload();
  await page.getByRole('radio', { name: /^All my worlds/ }).check();
  await press(page, 'Let it in');
  await page.getByRole('heading', { name: 'Back' }).waitFor();
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('state')).toBe(program.ledTo?.searchParams.get('state'));
  await openTransport(dashboard.url, program).finishAuth(searchParams);
  expect(program.kept?.access_token).toMatch(/^tro_/);
}); // prettier-ignore

test('what cannot be answered is a page of ours', async () => {
  const { page } = await dashboard.newPerson();
  await page.goto(
    String(
      authorizeUrl(dashboard.url, {
        response_type: 'code',
        client_id: 'nobody',
        redirect_uri: 'https://claude.ai/api/mcp/auth_callback',
        code_challenge: pkce().challenge,
        code_challenge_method: 'S256',
      }),
    ),
  );
  await page.getByRole('heading', { level: 1, name: 'The program was not signed in' }).waitFor();
  await page.getByText('Remove the connector in the program and add it again').waitFor();
  await expectGood(page);
});
