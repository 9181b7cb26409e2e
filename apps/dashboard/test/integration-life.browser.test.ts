import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { createRelay, exchangeKey, pollKeyRequest, requestKey } from '@tabletop-relay/sdk';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pairByPage, pairDemoWorld, startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
let world: TabletopModule | undefined;

beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());
afterEach(() => world?.close());

/** A person with an account and the demo world connected. */
async function gameMaster(): Promise<Person & { masterKey: string }> {
  const person = await dashboard.newPerson();
  const masterKey = await person.register();
  world = await pairDemoWorld(person, dashboard.url);
  return { ...person, masterKey };
}

const skillCheck = (apiKey: string) =>
  fetch(`${dashboard.url}/sys5e/skill-check`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ actorUuid: 'Actor.mira', skill: 'prc' }),
  });

async function createKey({ page }: Person, name: string): Promise<string> {
  await page.goto('/dashboard/keys/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByText('Discord bot', { exact: true }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = await page.locator('.secret-value code').innerText();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  return key;
}

test('a person registers, pairs a world, makes a key, and a program rolls dice with it', async () => {
  const person = await dashboard.newPerson();
  const { page } = person;
  await person.registerByForm();
  world = await pairByPage(person, dashboard.url);
  await page.getByRole('heading', { name: 'Connected', exact: true }).waitFor();
  await page.goto('/dashboard');
  await page.getByText('Online', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'The Sunken Chapel' }).waitFor();

  const key = await createKey(person, 'Dice bot');
  const answer = await skillCheck(key);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ type: 'skill-check-result', data: { skill: 'prc' } });
  await page.getByRole('link', { name: 'Dice bot' }).first().waitFor();
  expect(person.trespasses).toEqual([]);
});

test('the line that comes with a key names one of several worlds, and the page says that its call has come', async () => {
  const person = await gameMaster();
  const { page } = person;
  const other = await pairDemoWorld(person, dashboard.url);
  onTestFinished(() => other.close());
  const { status } = other;
  const clientId = status.state === 'connected' ? status.clientId : '';
  await page.goto('/dashboard/keys/new');
  await page.getByText('AI assistant', { exact: true }).click();
  await page.getByRole('link', { name: 'Connect an assistant' }).waitFor();
  await page.getByText('Stream Deck', { exact: true }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Lights');
  // One world is chosen already: the one that came last.
  await page.getByRole('checkbox', { name: 'The Sunken Chapel', checked: true }).uncheck();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('alert').getByText('Choose a world, or all of them.').waitFor();
  await page.getByText('All my worlds').click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Waiting for its first call').waitFor();
  await page.locator('.first-world select').selectOption(clientId);
  const line = await page.locator('.secret .snippet pre').innerText();
  const [, address = '', apiKey = ''] =
    /^curl -X POST '([^']+)' \\\n {2}-H 'x-api-key: ([^']+)'/.exec(line) ?? [];
  expect(new URL(address).searchParams.get('clientId')).toBe(clientId);
  await page.getByRole('button', { name: 'Shell', exact: true }).click();
  const shell = await page.locator('.secret .snippet pre').innerText();
  expect(shell).toContain(`tabletop rolls roll --formula 1d20 --world ${clientId}`);
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: '{"formula":"1d20"}',
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ type: 'roll-result' });
  await page.getByText('Its first call was answered').waitFor();
});

test('the key is on the screen once: neither the list nor a reload shows it again', async () => {
  const person = await gameMaster();
  const key = await createKey(person, 'Once');
  await person.page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  await expect.poll(() => person.page.content()).not.toContain(key);
  await person.page.reload();
  await person.page.getByRole('link', { name: 'Once' }).first().waitFor();
  expect(await person.page.content()).not.toContain(key);
});

test('a world that goes is told offline within moments, without a reload', async () => {
  const { page } = await gameMaster();
  await page.goto('/dashboard/worlds');
  await page.getByText('Online', { exact: true }).waitFor();
  world?.close();
  await page.getByText('Offline', { exact: true }).waitFor();
  await page.getByText(/Last seen (just now|\d+ seconds ago)/).waitFor();
  // Said to those who don't see it.
  await page.getByRole('status').getByText('The Sunken Chapel is offline.').waitFor({ state: 'attached' });
});

test('a revoked key is refused at the next call', async () => {
  const person = await gameMaster();
  const { page } = person;
  const key = await createKey(person, 'Short lived');
  expect((await skillCheck(key)).status).toBe(200);
  await page.getByRole('button', { name: 'Revoke Short lived' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('No keys yet').waitFor();
  const refused = await skillCheck(key);
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ code: 'key_invalid' });
});

test('the console makes a key with an hour’s life, calls the world and shows its answer', async () => {
  const person = await gameMaster();
  const { page } = person;
  await page.goto('/dashboard/try');
  await page.getByRole('button', { name: 'Send call' }).click();
  await page.getByText('200 answered').waitFor();
  await page.locator('.json', { hasText: '"type": "skill-check-result"' }).waitFor();
  const code = page.getByLabel('The same call');
  await expect.poll(() => code.innerText()).toMatch(/x-api-key: trk_\w{38}/);
  await page.getByText(/ms: relay [\d.]+ ms, world [\d.]+ ms, network [\d.]+ ms/).waitFor();

  await page.goto('/dashboard/try?operation=delete');
  await page.getByLabel(/^uuid/).fill('JournalEntry.rumours');
  const destroy = page.getByRole('button', { name: 'Delete JournalEntry.rumours' });
  await destroy.click();
  const question = page.getByRole('dialog', { name: 'Delete JournalEntry.rumours in The Sunken Chapel?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.locator('.answer').count()).toBe(0);
  await destroy.click();
  await question.getByRole('button', { name: 'Delete JournalEntry.rumours' }).click();
  await page.getByText('200 answered').waitFor();

  await page.goto('/dashboard/try?operation=scene-screenshot');
  await page.getByLabel(/^sceneId/).click();
  await page.locator('datalist option', { hasText: 'The Sunken Chapel' }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Send call' }).click();
  await page.getByRole('img', { name: 'What the world drew' }).waitFor();
  await page.goto('/dashboard/keys');
  await page.getByText('that these pages made for themselves').waitFor();
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText(/^in (59|60) minutes|^in 1 hour/).waitFor();
  expect(person.trespasses).toEqual([]);
});

test('the console says in words why a call was refused', async () => {
  const { page } = await gameMaster();
  await page.goto('/dashboard/try');
  await page.getByLabel(/^actorUuid/).fill('Actor.nobody');
  await page.getByRole('button', { name: 'Send call' }).click();
  await page.getByText('422 refused').waitFor();
  await page.getByText('The world refused.').waitFor();
});

test('device flow: a program asks and polls, a person reads, narrows and approves, the program gets the key once', async () => {
  const { page } = await gameMaster();
  const asked = await requestKey({
    url: dashboard.url,
    appName: 'Combat Lights',
    scopes: ['roll:execute', 'sys5e:write', 'world:read'],
  });
  const collected = pollKeyRequest({ url: dashboard.url, ...asked, intervalMs: 200 });
  await page.goto(asked.approvalUrl);
  await page.getByRole('heading', { name: 'Combat Lights asks for a key' }).waitFor();
  await page.getByText('It can spend, give away and use what your characters own.').waitFor();
  await page.getByLabel(/Change your characters/).uncheck();
  await page.getByLabel('Only these:').check();
  await page.getByLabel('The Sunken Chapel').check();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Approved', exact: true }).waitFor();
  const grant = await collected;
  expect(grant.scopes).toEqual(['roll:execute', 'world:read']);
  expect(grant.clientIds).toHaveLength(1);
  const relay = createRelay({ url: dashboard.url, apiKey: grant.apiKey });
  const { data } = await relay.sys5e.skillCheck({ actorUuid: 'Actor.mira', skill: 'prc' });
  expect(data.total).toBeGreaterThan(0);
});

test('device flow: a scope of another relay shows as what it is, and what is dangerous is asked for again', async () => {
  const { page } = await gameMaster();
  const response = await fetch(`${dashboard.url}/auth/key-request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ appName: 'Old Bot', scopes: ['execute-js', 'world:info'] }),
  });
  const { approvalUrl } = (await response.json()) as { approvalUrl: string };
  await page.goto(approvalUrl);
  await page.getByText('A script can do all that the game master can').waitFor();
  const approve = page.getByRole('button', { name: 'Approve' });
  await page.getByText('Confirm that you trust it, or remove these permissions.').waitFor();
  expect(await approve.isDisabled()).toBe(true);
  await page.getByLabel(/^I trust Old Bot to do this in my world/).check();
  await approve.click();
  await page.getByRole('heading', { name: 'Approved', exact: true }).waitFor();
});

test('web flow: an address of other alphabets is shown as it is spelled, with a warning', async () => {
  const { page } = await gameMaster();
  const asked = await requestKey({
    url: dashboard.url,
    appName: 'Combat Lights',
    // The first letter is Cyrillic.
    callbackUrl: 'https://\u0430pple.example/callback',
    scopes: ['world:read'],
  });
  await page.goto(asked.approvalUrl);
  await page.getByText('Read this address twice. xn--pple-43d.example').waitFor();
});

test('device flow: a person who is not signed in signs in and comes back to the request, and may deny it', async () => {
  const owner = await dashboard.newPerson();
  await owner.register();
  const asked = await requestKey({ url: dashboard.url, appName: 'Nosy', scopes: ['world:read'] });
  const { page } = await dashboard.newPerson();
  await page.goto(asked.approvalUrl);
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Nosy asks for a key' }).waitFor();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('heading', { name: 'Denied', exact: true }).waitFor();
  await expect(pollKeyRequest({ url: dashboard.url, ...asked })).rejects.toThrow('denied');
});

test('web flow: after the approval the browser stands at the callback, with a code that gives the key', async () => {
  const { page } = await gameMaster();
  const callback = await startCallback();
  try {
    const asked = await requestKey({
      url: dashboard.url,
      appName: 'Web tracker',
      scopes: ['roll:execute'],
      callbackUrl: callback.url,
    });
    await page.goto(asked.approvalUrl);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Thank you').waitFor();
    await page.waitForURL((address) => address.searchParams.has('code'));
    const code = new URL(page.url()).searchParams.get('code') ?? '';
    const { apiKey } = await exchangeKey({
      url: dashboard.url,
      code,
      ...(asked.verifier === undefined ? {} : { verifier: asked.verifier }),
    });
    expect((await skillCheck(apiKey)).status).toBe(200);
  } finally {
    await callback.stop();
  }
});

test('rotation names what it destroys, and everything is gone: keys, browsers, sessions', async () => {
  const person = await gameMaster();
  const { page } = person;
  const key = await createKey(person, 'Doomed');
  await page.goto('/dashboard/account');
  await page.getByRole('button', { name: 'Regenerate master key' }).click();
  const question = page.getByRole('dialog');
  await question.getByText('Deletes 1 key, unpairs 1 browser and ends 1 session').waitFor();
  await question.getByLabel('Your password').fill(person.password);
  await question.getByRole('button', { name: 'Regenerate master key' }).click();
  const masterKey = await page.locator('.secret-value code').innerText();
  expect(masterKey).not.toBe(person.masterKey);
  expect((await skillCheck(key)).status).toBe(401);
  expect((await skillCheck(person.masterKey)).status).toBe(401);
  await expect.poll(() => world?.status.state).toBe('unpaired');
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto('/dashboard/keys');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

/** An integration's page that a person is sent back to. */
async function startCallback() {
  const server = createServer((_request, response) => response.end('<h1>Thank you</h1>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/callback`,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
