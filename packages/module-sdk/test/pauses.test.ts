import { expect, onTestFinished, test, vi } from 'vitest';
import { makeModule } from './fixtures.ts';
import { startRelay } from './relay-server.ts';

const pause = { setIn: 'tabletop', since: '2026-02-01T20:14:05.000Z' } as const;

async function setUp() {
  const relay = await startRelay();
  const told: unknown[] = [];
  const { module } = makeModule(relay.url, { handlers: {}, onPauses: (pauses) => told.push(pauses) });
  onTestFinished(async () => {
    module.close();
    await relay.close();
  });
  await module.connect();
  return { module, told, peer: await relay.nextPeer() };
}

test('pauses are set and lifted by a question, told on each change, and unknown without a connection', async () => {
  const { module, told, peer } = await setUp();
  const set = module.setPause(true, { userName: 'Ada' });
  const { requestId } = await peer.frame({ type: 'set-pause', paused: true, userName: 'Ada' });
  peer.send({ type: 'pauses', requestId, pauses: [pause] });
  await set;
  expect(module.pauses).toEqual([pause]);
  const lifted = module.setPause(false);
  const asked = await peer.frame({ type: 'set-pause', paused: false });
  peer.send({ type: 'error', requestId: asked['requestId'], code: 'unavailable', message: 'Later.' });
  await expect(lifted).rejects.toMatchObject({ code: 'unavailable' });
  expect(told).toEqual([[pause]]);
  module.close();
  expect(told).toEqual([[pause], []]);
});

test('of pauses counts what is known of them', async () => {
  const { module, peer } = await setUp();
  peer.send({ type: 'pauses', pauses: [{ ...pause, more: 1 }, { ...pause, setIn: 'moon' }, null] });
  await vi.waitUntil(() => module.pauses.length > 0, 10_000);
  expect(module.pauses).toEqual([pause]);
  peer.send({ type: 'pauses', pauses: 'none' });
  await vi.waitUntil(() => module.pauses.length === 0, 10_000);
});
