import { describe, expect, test } from 'vitest';
import { actorOf, refusal, token } from '../../test/look-up.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

const lastMessage = (world: World) => world.state().chat.at(-1);
const ambushOf = (world: World) => world.state().encounters[0]!;
const combatantOf = (world: World, id: string) =>
  ambushOf(world).combatants.find((one) => one.id === `ambush-${id}`);

describe('an action from the page', () => {
  test('hides a token with its combatants, in each fight, and shows it again', () => {
    const world = createWorld({ seed: 1 });
    world.answer('start-encounter', { tokens: [token('mira'), token('borin')] });
    const hiddenNow = () =>
      world
        .state()
        .encounters.map(({ combatants }) =>
          combatants.filter(({ hidden }) => hidden).map(({ name }) => name),
        );
    const hide = (hidden: boolean) => world.perform({ kind: 'hide-token', tokenUuid: token('mira'), hidden });
    hide(true);
    expect(hiddenNow()).toEqual([['Mira Thornwood'], ['Mira Thornwood']]);
    expect(
      world
        .state()
        .scenes[0]?.tokens.filter(({ hidden }) => hidden)
        .map(({ name }) => name),
    ).toEqual(['Mira Thornwood', 'Drowned Ghoul']);
    hide(false);
    expect(hiddenNow()).toEqual([[], []]);
    const { encounters } = world.state();
    world.perform({ kind: 'hide-token', tokenUuid: token('cultist'), hidden: true });
    expect(world.state().encounters).toBe(encounters);
  });

  test('selects tokens, each once, in place of those before', () => {
    const world = createWorld({ seed: 1 });
    const select = (...tokenUuids: string[]) => world.perform({ kind: 'select', tokenUuids });
    select(token('borin'), token('ghoul'), token('borin'));
    expect(world.state().selection).toEqual([token('borin'), token('ghoul')]);
    expect(() => select(token('mira'), 'Nobody')).toThrow(refusal('entity_not_found'));
    expect(world.state().selection).toEqual([token('borin'), token('ghoul')]);
  });

  test('rolls for an actor, or for the game master', () => {
    const world = createWorld({ seed: 1 });
    world.perform({ kind: 'roll', formula: '2d6 + 1' });
    expect(lastMessage(world)).toMatchObject({ speaker: 'Ada', title: 'Roll', roll: { formula: '2d6 + 1' } });
    world.perform({ kind: 'roll', formula: '1d20', actorUuid: 'Actor.borin' });
    expect(lastMessage(world)).toMatchObject({ speaker: 'Borin Ironhand', roll: { formula: '1d20' } });
    expect(() => world.perform({ kind: 'roll', formula: 'junk' })).toThrow(refusal('invalid_formula'));
  });

  test('says something as the game master', () => {
    const world = createWorld({ seed: 1, now: () => 5 });
    world.perform({ kind: 'say', text: 'Boo' });
    expect(lastMessage(world)).toMatchObject({
      speaker: 'Ada',
      author: { id: 'ada', name: 'Ada' },
      title: 'says',
      text: 'Boo',
      timestamp: 5,
    });
  });

  test('rolls a combatant’s initiative anew, after which the turn is still the same one’s', () => {
    const orders = Array.from({ length: 20 }, (_, seed) => {
      const world = createWorld({ seed });
      world.perform({ kind: 'roll-initiative', combatantId: 'ambush-theron' });
      const rolled = lastMessage(world);
      const { combatants, turn } = ambushOf(world);
      expect(rolled).toMatchObject({ speaker: 'Theron Vale', title: 'Initiative' });
      expect(combatantOf(world, 'theron')?.initiative).toBe(rolled?.roll?.total);
      const initiatives = combatants.map(({ initiative }) => initiative ?? 0);
      expect(initiatives).toEqual(initiatives.toSorted((a, b) => b - a));
      expect(combatants[turn]?.id).toBe('ambush-mira');
      return combatants.map(({ id }) => id).join();
    });
    expect(new Set(orders).size).toBeGreaterThan(1);
  });

  test('marks the defeated, and takes that back for who lives', () => {
    const world = createWorld({ seed: 1 });
    const mark = (id: string, defeated: boolean) =>
      world.perform({ kind: 'set-defeated', combatantId: `ambush-${id}`, defeated });
    mark('sable', true);
    expect(
      ambushOf(world)
        .combatants.filter(({ defeated }) => defeated)
        .map(({ id }) => id),
    ).toEqual(['ambush-sable']);
    mark('sable', false);
    expect(combatantOf(world, 'sable')?.defeated).toBe(false);
    for (const kind of ['set-defeated', 'roll-initiative'] as const)
      expect(() => world.perform({ kind, combatantId: 'nobody', defeated: true })).toThrow(
        refusal('entity_not_found'),
      );
  });

  test('shows another scene, on which nothing is selected', () => {
    const world = createWorld({ seed: 1 });
    world.perform({ kind: 'activate-scene', sceneId: 'crypt' });
    expect(world.state()).toMatchObject({ activeSceneId: 'crypt', selection: [] });
    expect(() => world.perform({ kind: 'activate-scene', sceneId: 'none' })).toThrow(
      refusal('entity_not_found'),
    );
    expect(world.state().activeSceneId).toBe('crypt');
  });

  test('is any operation that is answered at once, with the contract’s checks', () => {
    const world = createWorld({ seed: 1 });
    const ask = (name: string, parameters: Record<string, unknown>) =>
      world.perform({ kind: 'operation', name, parameters });
    ask('modify-experience', { actorUuid: 'Actor.mira', amount: 5 });
    expect(actorOf(world, 'Actor.mira').experience).toBe(6_505);
    expect(() => ask('modify-experience', { actorUuid: 'Actor.mira' })).toThrow(
      refusal('invalid_parameters'),
    );
    expect(() => ask('scene-screenshot', {})).toThrow(refusal('not_supported'));
    expect(() => ask('toString', {})).toThrow(refusal('not_supported'));
  });
});
