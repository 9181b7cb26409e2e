import type { ApiKey } from '@tabletop-relay/contract';
import { expect, test } from 'vitest';
import { selectKeys } from './sort-keys.ts';
import type { Order } from './sort-keys.ts';

const key = (name: string, more: Partial<ApiKey> = {}): ApiKey => ({
  id: name,
  name,
  hint: 'trk_ab…',
  signedIn: null,
  scopes: ['roll:execute'],
  clientIds: null,
  actingUserIds: null,
  actingUserId: null,
  scopedUserIds: null,
  scopedUserId: null,
  monthlyLimit: null,
  usedThisMonth: 0,
  refusedThisMonth: 0,
  expiresAt: null,
  lastUsedAt: null,
  oldValue: null,
  createdAt: '2026-11-01T00:00:00Z',
  pause: null,
  reachesPaused: false,
  ...more,
});

const keys = [
  key('Dice bot', {
    lastUsedAt: '2026-11-20T00:00:00Z',
    usedThisMonth: 3,
    expiresAt: '2026-12-24T00:00:00Z',
  }),
  key('atlas', { lastUsedAt: '2026-11-21T00:00:00Z', createdAt: '2026-11-03T00:00:00Z' }),
  key('Combat', { usedThisMonth: 9, expiresAt: '2026-11-24T00:00:00Z', createdAt: '2026-11-02T00:00:00Z' }),
];

const named = (search: string, order: Order) =>
  selectKeys(keys, { search, order, wordsOf: ({ name, scopes }) => `${name} ${scopes.join(' ')}` }).map(
    ({ name }) => name,
  );

test.each<[Order, string[]]>([
  ['name', ['atlas', 'Combat', 'Dice bot']],
  ['used', ['atlas', 'Dice bot', 'Combat']],
  ['month', ['Combat', 'Dice bot', 'atlas']],
  ['expiry', ['Combat', 'Dice bot', 'atlas']],
  ['created', ['atlas', 'Combat', 'Dice bot']],
])('keys are sorted by %s', (order, names) => {
  expect(named('', order)).toEqual(names);
});

test('a search finds keys that have each of its words somewhere', () => {
  expect(named('BOT roll', 'name')).toEqual(['Dice bot']);
  expect(named('bot chat', 'name')).toEqual([]);
});
