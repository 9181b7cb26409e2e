import { describe, expect, test } from 'vitest';
import { createWorld } from '../../world.ts';

describe('rolls', () => {
  test('armor that makes noise gives disadvantage on stealth', () => {
    const world = createWorld();
    const formula = (actorUuid: string, skill: string) =>
      world.answer('skill-check', { actorUuid, skill }).data.formula;
    expect(formula('Actor.borin', 'ste')).toBe('2d20kl + 0');
    expect(formula('Actor.borin', 'rel')).toBe('1d20 + 2');
  });

  test('they are posted to the chat unless that is not wanted', () => {
    const world = createWorld();
    const found = world.state().chat;
    world.answer('ability-check', { actorUuid: 'Actor.mira', ability: 'int', createChatMessage: false });
    expect(world.state().chat).toEqual(found);
    world.answer('ability-check', { actorUuid: 'Actor.mira', ability: 'int' });
    expect(world.state().chat).toHaveLength(found.length + 1);
  });
});
