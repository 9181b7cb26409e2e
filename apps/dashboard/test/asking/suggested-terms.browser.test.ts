import { pollKeyRequest, requestKey } from '@tabletop-relay/sdk';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pairDemoWorld, startDashboard } from '../dashboard.ts';
import type { TestDashboard } from '../dashboard.ts';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

test('the worlds and the end that a program suggests are filled in, and one of somebody else is left out', async () => {
  const person = await dashboard.newPerson();
  const { page } = person;
  const masterKey = await person.register();
  const world = await pairDemoWorld(person, dashboard.url);
  onTestFinished(() => world.close());
  const listed = await fetch(`${dashboard.url}/clients`, { headers: { 'x-api-key': masterKey } });
  const { clients } = (await listed.json()) as { clients: { clientId: string }[] };
  const own = clients.map(({ clientId }) => clientId);
  const asked = await requestKey({
    url: dashboard.url,
    appName: 'Combat Lights',
    scopes: ['world:read'],
    clientIds: [...own, 'of-somebody-else'],
    suggestedExpiry: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const collected = pollKeyRequest({ url: dashboard.url, ...asked, intervalMs: 200 });
  await page.goto(asked.approvalUrl);
  await page.getByText('It also names worlds that are not yours.').waitFor();
  expect(await page.getByLabel('The Sunken Chapel').isChecked()).toBe(true);
  expect(await page.getByLabel('Expires').inputValue()).toBe('given');
  await page.getByRole('button', { name: 'Approve' }).click();
  expect((await collected).clientIds).toEqual(own);
});
