import { describe, expect, test } from 'vitest';
import { token } from '../../test/look-up.ts';
import { createWorld } from '../world/world.ts';
import { activeScene, actorOf, currentEncounter, selectedToken, tokenOf, tokenWithTurn } from './table.ts';

describe('the page finds in a world’s state', () => {
  test('the scene and the fight that are on, and whose turn it is', () => {
    const world = createWorld({ seed: 1 });
    world.answer('start-encounter', { tokens: [token('ghoul')] });
    expect(activeScene(world.state())?.id).toBe('chapel');
    expect(currentEncounter(world.state())?.combatants).toHaveLength(1);
    expect(tokenWithTurn(world.state())).toBe(token('ghoul'));
    world.answer('end-encounter', {});
    expect(tokenWithTurn(world.state())).toBe(token('mira'));
    world.answer('next-turn', {});
    expect(tokenWithTurn(world.state())).toBe(token('ghoul'));
  });

  test('nothing where no scene and no fight is on', () => {
    const world = createWorld({ seed: 1 });
    world.answer('end-encounter', {});
    world.answer('delete-scene', { active: true });
    expect(activeScene(world.state())).toBeUndefined();
    expect(currentEncounter(world.state())).toBeUndefined();
    expect(tokenWithTurn(world.state())).toBeUndefined();
    expect(selectedToken(world.state())).toBeUndefined();
  });

  test('nobody’s turn in a fight that has not begun, or in which nobody is', () => {
    const state = createWorld().state();
    const encounters = state.encounters.map((one) => ({ ...one, started: false }));
    expect(tokenWithTurn({ ...state, encounters })).toBeUndefined();
    const world = createWorld({ seed: 1 });
    world.answer('start-encounter', {});
    expect(tokenWithTurn(world.state())).toBeUndefined();
  });

  test('actors, and tokens of any scene', () => {
    const state = createWorld().state();
    expect(actorOf(state, 'Actor.borin')?.name).toBe('Borin Ironhand');
    expect(tokenOf(state, 'Scene.crypt.Token.guardian')?.name).toBe('Crypt Ghoul');
    expect([actorOf(state, 'Actor.x'), tokenOf(state, 'Scene.crypt.Token.x')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('the token that was selected last, of those on the scene', () => {
    const world = createWorld({ seed: 1 });
    const select = (...tokenUuids: string[]) => {
      world.perform({ kind: 'select', tokenUuids });
      return selectedToken(world.state())?.name;
    };
    expect(select(token('mira'), token('borin'))).toBe('Borin Ironhand');
    expect(select(token('mira'), 'Scene.crypt.Token.guardian')).toBe('Mira Thornwood');
    expect(select()).toBeUndefined();
  });
});
