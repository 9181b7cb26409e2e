import { launchChromium } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing } from '@tabletop-relay/testing/scenes';
import { fileURLToPath } from 'node:url';
import type { createRelay } from '@tabletop-relay/sdk';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let instances: TestInstances;
let url: string;
let key: string;
let pairing: Pairing;
let module: Awaited<ReturnType<typeof connectModule>>;
let browser: Awaited<ReturnType<typeof launchChromium>>;
let page: Awaited<ReturnType<typeof browser.newPage>>;

beforeAll(async () => {
  instances = await startInstances();
  [{ url }] = instances.instances;
  const account = await createAccount(url);
  key = await account.createKey();
  pairing = await account.pair();
  module = await connectModule(url, pairing, () => ({ data: { total: 13 } }));
  browser = await launchChromium();
  page = await browser.newPage();
  await page.setContent('<title>A page of another site</title>');
});
afterAll(async () => {
  await browser.close();
  await module.close();
  await instances.stop();
});

it('Chromium’s own WebSocket calls from a page of another site', async () => {
  const told = await page.evaluate(
    ([address, token]) =>
      new Promise<string[]>((resolve) => {
        const socket = new WebSocket(address as string);
        const types: string[] = [];
        socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'auth', token })));
        socket.addEventListener('message', ({ data }) => {
          const { type } = JSON.parse(data as string) as { type: string };
          types.push(type);
          if (type === 'connected') socket.send(JSON.stringify({ type: 'players', requestId: '1' }));
          else socket.close();
        });
        socket.addEventListener('close', () => resolve(types));
      }),
    [`${url.replace('http', 'ws')}/ws/api`, key],
  );
  expect(told).toEqual(['connected', 'players-result']);
});

it('the SDK’s socket calls and listens there', async () => {
  const input = fileURLToPath(new URL('../../../../packages/sdk/src/index.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'iife', name: 'sdk' });
  await bundle.close();
  await page.addScriptTag({ content: output[0].code });
  const heard = page.evaluate(
    async ([relayUrl, apiKey]) => {
      const { sdk } = globalThis as unknown as { sdk: { createRelay: typeof createRelay } };
      const socket = await sdk.createRelay({ url: relayUrl as string, apiKey: apiKey as string }).connect();
      const { data } = await socket.sys5e.skillCheck({ actorUuid: 'Actor.mira', skill: 'prc' });
      const heard: unknown[] = [data?.total];
      for await (const { event } of socket.events.chat()) {
        heard.push(event);
        if (event === 'chat-create') break;
      }
      socket.close();
      return heard;
    },
    [url, key],
  );
  let isOver = false;
  void heard.then(() => (isOver = true));
  const say = () =>
    module.send({ type: 'chat-event', data: { eventType: 'create', data: { id: 'm', whisper: [] } } });
  await expect.poll(() => (say(), isOver), { timeout: 20_000 }).toBe(true);
  expect(await heard).toEqual([13, 'connected', 'chat-create']);
});
