import { expect, test } from 'vitest';
import { token } from '../../../test/look-up.ts';
import { createWorld } from '../../world/world.ts';
import { openOwnLink } from './own-link.ts';

test('a world in the page is live at once, shows each of its states, and says what it refuses', () => {
  const world = createWorld({ seed: 1 });
  const { state, status, relay, notice, perform } = openOwnLink(world);
  expect([status.value, relay.value, notice.value]).toEqual([{ kind: 'live' }, null, null]);
  expect(state.value).toBe(world.state());
  perform({ kind: 'move-token', tokenUuid: token('mira'), x: 99, y: 0 });
  expect(notice.value).toBe('Mira Thornwood can’t leave the scene');
  perform({ kind: 'move-token', tokenUuid: token('mira'), x: 1, y: 2 });
  expect(notice.value).toBeNull();
  expect(state.value).toBe(world.state());
  expect(state.value?.scenes[0]?.tokens[0]).toMatchObject({ x: 1, y: 2 });
});

test('what goes wrong in the world itself is no notice', () => {
  const world = createWorld({ seed: 1 });
  const failing = {
    ...world,
    perform() {
      throw new TypeError('a bug');
    },
  };
  const { perform, notice } = openOwnLink(failing);
  expect(() => perform({ kind: 'say', text: 'x' })).toThrow('a bug');
  expect(notice.value).toBeNull();
});
