import { startWebhookReceiver } from '@tabletop-relay/testing';
import type { WebhookReceiver } from '@tabletop-relay/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestWorker } from '../../relay/test/notifications/test-worker.ts';
import { pairDemoWorld, startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';
import { faultsIn, widthBeyondPage } from './faults.ts';
import { press } from './owner.ts';

let dashboard: TestDashboard;
let receiver: WebhookReceiver;
let worker: Awaited<ReturnType<typeof startTestWorker>>;
let person: Person;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  dashboard = await startDashboard({ config: { outboundAllow: ['127.0.0.1'] } });
  worker = await startTestWorker(dashboard.instances, { notificationGiveUpMs: 1 });
  person = await dashboard.newPerson();
  await person.register();
});
afterAll(async () => {
  await worker.stop();
  await dashboard.stop();
  await receiver.stop();
});

test('what could not be delivered stands there with the last answer, is sent again, and the page says that it arrived', async () => {
  const { page, trespasses } = person;
  await page.goto('/dashboard/notifications');
  await page.getByLabel('Send to').selectOption({ label: 'Slack' });
  await page.getByLabel('Address').fill(`${receiver.url}/hook`);
  await press(page, 'Add webhook');
  await page.getByText('127.0.0.1').first().waitFor();
  receiver.answer = (response) => response.writeHead(503).end('closed for the night');
  const collectFor = (batchSeconds: number) =>
    dashboard.instances.db.updateTable('notificationSettings').set({ batchSeconds }).execute();
  await collectFor(0);
  const module = await pairDemoWorld(person, dashboard.url);
  const failed = async () => {
    const { db } = dashboard.instances;
    const rows = await db
      .selectFrom('notifications')
      .select('events')
      .where('status', '=', 'failed')
      .execute();
    return JSON.stringify(rows);
  };
  await expect.poll(failed).toContain('The Sunken Chapel');
  // The page reads the settings, and a person can set no less.
  await collectFor(10);

  await page.goto('/dashboard/notifications');
  await page.getByLabel('Only what could not be delivered').check();
  const letter = page.locator('.row', { hasText: 'Not delivered' }).first();
  await letter.getByText('The Sunken Chapel').first().waitFor();
  expect(await letter.innerText()).toContain('503 closed for the night');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await faultsIn(page)).toEqual([]);
    expect(await widthBeyondPage(page)).toBeLessThanOrEqual(0);
  }
  await page.getByLabel('Only what could not be delivered').uncheck();
  receiver.answer = (response) => response.end('ok');
  receiver.received.length = 0;
  const told = page.locator('.row', { hasText: 'The Sunken Chapel' });
  await told.getByRole('button', { name: /^Send again to/ }).click();
  await expect.poll(() => receiver.received.length).toBe(1);
  expect(receiver.received[0]?.body).toContain('The Sunken Chapel');
  await told.filter({ hasText: 'Sent' }).waitFor();
  expect(trespasses).toEqual([]);
  module.close();
});
