import { expect, test } from 'vitest';
import { overlayScopes, viewerAmong } from './overlay-key.ts';

const user = (name: string, isGM = false) => ({ id: name.toLowerCase(), name, isGM });

test.each([
  ['ben', true, ['encounter:read', 'events:subscribe', 'entity:read']],
  ['ben', false, ['encounter:read', 'events:subscribe']],
  [undefined, true, ['encounter:read']],
  [undefined, false, ['encounter:read']],
])(
  'the key of an overlay as %s, with hit points %s, may %j: it only reads',
  (userId, showsHealth, scopes) => {
    expect(overlayScopes({ userId, look: { showsHealth } })).toEqual(scopes);
  },
);

test('viewers see by the eyes of a user who was made for them, else of the first player, and never of a game master', () => {
  const table = [user('Ada', true), user('Ben'), user('Cleo')];
  expect(viewerAmong(table)?.name).toBe('Ben');
  expect(viewerAmong([...table, user('Stream')])?.name).toBe('Stream');
  expect(viewerAmong([user('Ada', true), user('Stream GM', true)])).toBeUndefined();
});
