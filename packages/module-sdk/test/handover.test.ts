import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRelay } from './relay-server.ts';
import type { RelayServer } from './relay-server.ts';
import { makeModule } from './fixtures.ts';
import type { TabletopModule } from '../src/index.ts';

let relay: RelayServer;
let module: TabletopModule;

beforeEach(async () => {
  relay = await startRelay();
  ({ module } = makeModule(relay.url));
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
