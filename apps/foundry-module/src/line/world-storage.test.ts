import { expect, test } from 'vitest';
import { fakeArea, fakeTabletop } from '../../test/fake-tabletop.ts';
import { worldStorage } from './world-storage.ts';

const relay = () => 'wss://relay.example';

test('two worlds of one server keep two tokens, and no setting of the tabletop holds one', async () => {
  const area = fakeArea();
  const one = fakeTabletop({ worldId: 'one' });
  await worldStorage(area, relay).save({ clientId: 'c1', pairedRelayUrl: relay(), connectionToken: 'trc_1' });
  expect([...one.settings.values()].join(' ')).not.toContain('trc_');
  fakeTabletop({ worldId: 'two' });
  const two = worldStorage(area, relay);
  expect((await two.load()).connectionToken).toBeUndefined();
  await two.save({ clientId: 'c2', connectionToken: 'trc_2' });
  expect([...area.items.values()].toSorted()).toEqual(['trc_1', 'trc_2']);
});

test('a token is forgotten, and what the world knows stays', async () => {
  fakeTabletop();
  const storage = worldStorage(fakeArea(), relay);
  await storage.save({ clientId: 'c1', pairedRelayUrl: relay(), connectionToken: 'trc_1' });
  await storage.save({ connectionToken: undefined });
  expect(await storage.load()).toEqual({
    clientId: 'c1',
    pairedRelayUrl: relay(),
    connectionToken: undefined,
  });
});

test.each([
  ['of this relay goes on as the world that it was', 'wss://relay.example/relay', true, 'theirs'],
  ['of another relay is another world there', 'wss://other.example/relay', true, undefined],
  ['that is switched off is not asked', 'wss://relay.example/relay', false, undefined],
])('what another module paired: one %s', async (_what, pairedRelayUrl, active, clientId) => {
  const { settings, modules } = fakeTabletop();
  modules.set('another', { title: 'Another', active });
  settings.set('another.clientId', 'theirs').set('another.pairedRelayUrl', pairedRelayUrl);
  const storage = worldStorage(fakeArea(), relay);
  expect((await storage.load()).clientId).toBe(clientId);
  await storage.save({ clientId: 'ours' });
  expect((await storage.load()).clientId).toBe('ours');
  expect(settings.get('another.clientId')).toBe('theirs');
});
