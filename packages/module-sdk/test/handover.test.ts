import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startRelay } from './relay-server.ts';
import type { RelayServer } from './relay-server.ts';
import { makeModule } from './fixtures.ts';
import type { TabletopModule } from '../src/index.ts';

let relay: RelayServer;
let module: TabletopModule;

/** What was told of the listeners. */
const heard: [string, number][] = [];

beforeEach(async () => {
  relay = await startRelay();
  heard.length = 0;
  ({ module } = makeModule(relay.url, {
    onListeners: (channel, count) => heard.push([channel, count]),
  }));
});
afterEach(async () => {
  module.close();
  await relay.close();
});

async function leave(frame: object) {
  await module.connect();
  const first = await relay.nextPeer();
  first.send({ type: 'reconnect', afterMs: 0, ...frame });
  return first;
}

test('the handover opens the second socket, at each try until it stands, and no later one', async () => {
  relay.admit = () => (relay.peers.length === 2 ? 4000 : 'welcome');
  await leave({ handover: 'secret' });
  await relay.nextPeer();
  const third = await relay.nextPeer();
  third.socket.close(1011);
  await relay.nextPeer();
  expect(relay.peers.map(({ handover }) => handover)).toEqual([undefined, 'secret', 'secret', undefined]);
});

test('an event between the new socket and its first word on listeners goes up the new socket', async () => {
  await module.connect();
  const first = await relay.nextPeer();
  first.send({ type: 'event-subscription-update', channel: 'combat-events', count: 1 });
  await vi.waitUntil(() => module.listeners('combat') === 1, 10_000);
  first.send({ type: 'reconnect', afterMs: 0, handover: 'secret' });
  const second = await relay.nextPeer();
  const data = { eventType: 'turn', encounterId: 'ambush' };
  await vi.waitUntil(() => module.emit('combat', data) && second.received.length > 0, 10_000);
  expect(second.received[0]).toEqual({ type: 'combat-event', data });
  expect(heard).toEqual([['combat', 1]]);
  second.send({ type: 'event-subscription-update', channel: 'combat-events', count: 0 });
  await vi.waitUntil(() => module.listeners('combat') === 0, 10_000);
});

test('an instance that dies before the time that it gave is left at once, by its handover', async () => {
  const first = await leave({ handover: 'secret', afterMs: 60_000 });
  first.socket.terminate();
  expect((await relay.nextPeer()).handover).toBe('secret');
});

test.each([17, { text: 'secret' }, 'x'.repeat(65)])(
  'a handover that is none is not given: %j',
  async (handover) => {
    await leave({ handover });
    expect((await relay.nextPeer()).handover).toBeUndefined();
  },
);
