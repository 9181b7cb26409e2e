import { expect, onTestFinished, test, vi } from 'vitest';
import { makeModule } from './fixtures.ts';
import { startRelay } from './relay-server.ts';

test('events that a slow line cannot take are counted, and the next one says how many', async () => {
  const relay = await startRelay();
  onTestFinished(() => relay.close());
  let waiting = 0;
  class SlowSocket extends WebSocket {
    override get bufferedAmount() {
      return waiting;
    }
  }
  const { module } = makeModule(relay.url, { WebSocket: SlowSocket });
  onTestFinished(() => module.close());
  await module.connect();
  const slow = await relay.nextPeer();
  slow.send({ type: 'event-subscription-update', channel: 'hooks', count: 1 });
  await vi.waitUntil(() => module.listeners('hooks') === 1, 10_000);
  waiting = 4 * 1024 * 1024;
  expect([1, 2].map((n) => module.emit('hooks', { hook: 'h', args: [n] }))).toEqual([false, false]);
  waiting = 0;
  expect([3, 4].map((n) => module.emit('hooks', { hook: 'h', args: [n] }))).toEqual([true, true]);
  await vi.waitUntil(() => slow.received.length === 2, 10_000);
  expect(slow.received).toEqual([
    { type: 'hook-event', data: { hook: 'h', args: [3] }, dropped: 2 },
    { type: 'hook-event', data: { hook: 'h', args: [4] } },
  ]);
});
