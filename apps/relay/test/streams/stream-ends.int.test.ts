import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { afterEach, expect, it, vi } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { openSse } from './sse.ts';

const within = { timeout: 15_000, interval: 5 };

let cluster: TestInstances;
afterEach(async () => {
  vi.useRealTimers();
  await cluster.stop();
});

it('a stream gives a sign of life every 15 s, and with it how far it has come', async () => {
  // The intervals of everything in this process; what waits for answers goes on in real time.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  cluster = await startInstances();
  const [{ url }] = cluster.instances;
  const account = await createAccount(url);
  const world = await account.pair();
  const module = await connectModule(url, world);
  const path = `${url}/hooks/subscribe?clientId=${world.clientId}`;
  const key = await account.createKey();
  const [filtered, all] = [await openSse(`${path}&hooks=other`, { key }), await openSse(path, { key })];
  await module.next('event-subscription-update');
  await vi.waitUntil(() => {
    module.send({ type: 'hook-event', data: { hook: 'updateActor', args: [] } });
    return all.data().length > 0;
  }, within);
  const before = filtered.lastId();
  vi.advanceTimersByTime(15_000);
  await vi.waitFor(() => expect([filtered.comments(), all.comments()]).toEqual([1, 1]), within);
  expect(filtered.data()).toEqual([]);
  expect(filtered.lastId()).not.toBe(before);
  vi.advanceTimersByTime(15_000);
  await vi.waitFor(() => expect([filtered.comments(), all.comments()]).toEqual([2, 2]), within);
  await module.close();
});

it('the streams of an instance that drains end, and their callers come back at different times', async () => {
  cluster = await startInstances({ config: { drainSpreadMs: 20_000 } });
  const [{ url, stop }] = cluster.instances;
  const account = await createAccount(url);
  const { clientId } = await account.pair();
  const key = await account.createKey();
  const readers = await Promise.all(
    Array.from({ length: 12 }, () => openSse(`${url}/rolls/subscribe?clientId=${clientId}`, { key })),
  );
  // Their connections end with them, so an event needs no chunk of its own in each.
  for (const { headers } of readers) {
    expect(headers).toMatchObject({ connection: 'close' });
    expect(headers).not.toHaveProperty('transfer-encoding');
  }
  const stopped = stop();
  await Promise.all(readers.map(({ closed }) => closed));
  const waits = readers.map((reader) => Number(reader.retryMs()));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(21_000);
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(4_000);
  await stopped;
});
