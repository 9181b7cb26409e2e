import { expect, it } from 'vitest';
import type { WorldOnPage } from '../adapters/adapter.ts';
import { toTexts } from './world-texts.ts';

it('what a page says of its world is kept as texts that Postgres takes, and nothing beside them', () => {
  const said = {
    world: {
      worldId: 5,
      worldTitle: { a: 1 },
      tabletopVersion: null,
      systemId: 'sys\0\uD83D5e',
      systemTitle: 'x'.repeat(5000),
      more: 'of it',
    },
    clientId: ['x'],
    pairedRelayUrl: 7,
    isGameMaster: true,
  } as unknown as WorldOnPage;
  expect(toTexts(said)).toEqual({
    world: {
      worldId: '',
      worldTitle: '',
      tabletopVersion: '',
      systemId: 'sys\uFFFD5e',
      systemTitle: 'x'.repeat(2000),
      systemVersion: '',
    },
    clientId: '',
    pairedRelayUrl: '',
    isGameMaster: true,
  });
});
