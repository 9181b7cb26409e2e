import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startInstances } from '../instances.ts';
import { openSse } from './sse.ts';

const within = { timeout: 20_000, interval: 1 };

it('a listener with less room than Node itself gives a connection is told how many events it missed', async () => {
  const cluster = await startInstances({
    config: {
      streamQueueBytes: 16_384,
      moduleBytesPerSecond: 1_000_000_000,
      moduleBurstBytes: 1_000_000_000,
    },
  });
  onTestFinished(() => cluster.stop());
  const [{ url }] = cluster.instances;
  const account = await createAccount(url);
  const [key, world] = [await account.createKey(), await account.pair()];
  const module = await connectModule(url, world);
  const path = `${url}/hooks/subscribe?clientId=${world.clientId}`;
  const [slow, quick] = [await openSse(path, { key }), await openSse(path, { key })];
  const isTold = () => module.received.some(({ channel, count }) => channel === 'hooks' && Number(count) > 0);
  await vi.waitUntil(isTold, within);
  slow.pause();
  // 12 MB, which no connection holds. One of them that waits is above the room and below Node's own mark.
  for (let sent = 1; sent <= 300; sent++) {
    module.send({ type: 'hook-event', data: { hook: 'updateActor', args: [sent, 'x'.repeat(40_000)] } });
    await vi.waitUntil(() => quick.data().length === sent, within);
  }
  slow.resume();
  const { data } = await slow.next('gap');
  expect(data).toMatchObject({ dropped: 300 - slow.data().length });
  module.send({ type: 'hook-event', data: { hook: 'updateActor', args: ['after'] } });
  await vi.waitFor(() => expect(slow.data().at(-1)).toMatchObject({ args: ['after'] }), within);
  expect(quick.names()).not.toContain('gap');
  await module.close();
});
