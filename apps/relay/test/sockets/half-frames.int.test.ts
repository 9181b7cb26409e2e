import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { expect, it, onTestFinished } from 'vitest';
import { startInstances } from '../instances.ts';
import { textFrame } from './wire/sent-frames.ts';

const text = 'x'.repeat(400_000);
const megabyte = 1_000_000;
const heldBytes = () => process.memoryUsage().arrayBuffers;

async function connectWorld(url: string, account: TestAccount, key: string) {
  const pairing = await account.pair();
  const module = await connectModule(url, pairing);
  onTestFinished(() => module.cut());
  const ask = () =>
    call(url, 'GET', `/players?clientId=${pairing.clientId}`, { headers: { 'x-api-key': key } });
  return { module, ask };
}

async function answerLarge(module: FakeModule): Promise<void> {
  const { requestId } = await module.next('players');
  module.send({ type: 'players-result', requestId, users: [], text });
}

it('a large frame that does not end keeps a sibling waiting for a time, a stranger not at all, and is given up', async () => {
  const cluster = await startInstances({ config: { largeFramesAtOnce: 2, frameTimeoutMs: 2_000 } });
  onTestFinished(() => cluster.stop());
  const [{ url }] = cluster.instances;
  const account = await createAccount(url);
  const key = await account.createKey();
  const [endless, sibling] = [await connectWorld(url, account, key), await connectWorld(url, account, key)];
  const other = await createAccount(url);
  const stranger = await connectWorld(url, other, await other.createKey());

  endless.module.socket.send(`{"type":"x","data":"${text}`, { fin: false });
  // Pings between the parts do not make the frame look smaller.
  endless.module.socket.ping();
  const waiting = sibling.ask();
  await answerLarge(sibling.module);
  const passing = stranger.ask();
  await answerLarge(stranger.module);
  expect((await passing).status).toBe(200);
  expect(endless.module.socket.readyState).toBe(endless.module.socket.OPEN);
  expect(await endless.module.closed).toMatchObject({ code: 4000 });
  expect((await waiting).status).toBe(200);
});

it('of large frames that do not end only those that have a place take memory', async () => {
  const cluster = await startInstances({ config: { largeFramesAtOnce: 2 } });
  onTestFinished(() => cluster.stop());
  const [{ url }] = cluster.instances;
  const account = await createAccount(url);
  const key = await account.createKey();
  const worlds: Awaited<ReturnType<typeof connectWorld>>[] = [];
  // oxlint-disable-next-line no-await-in-loop -- A pairing code replaces the one before.
  while (worlds.length < 6) worlds.push(await connectWorld(url, account, key));
  const transports = worlds.map(({ module }) => module.transport);
  const waiting = () => transports.filter(({ writableLength }) => writableLength > 0).length;
  // More than the kernel keeps of a connection that is not read.
  const endless = textFrame('x'.repeat(30 * megabyte)).subarray(0, -1);
  const before = heldBytes();
  for (const transport of transports) transport.write(endless);
  // The account has one place.
  await expect.poll(waiting).toBe(5);
  expect(heldBytes() - before).toBeLessThan(40 * megabyte);
  // The one with the place goes, and the next is read.
  worlds[transports.findIndex(({ writableLength }) => writableLength === 0)]?.module.cut();
  await expect.poll(waiting).toBe(4);
});
