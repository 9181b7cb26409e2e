import { describe, expect, test } from 'vitest';
import { actorOf, refusal } from '../../../../test/look-up.ts';
import { createWorld } from '../../world.ts';

describe('inventory', () => {
  test('charges stay between 0 and the maximum', () => {
    const world = createWorld();
    const change = (amount: number) =>
      world.answer('modify-item-charges', {
        actorUuid: 'Actor.mira',
        itemName: 'Wand of Magic Missiles',
        amount,
      }).data;
    expect(change(-100)).toMatchObject({ oldCharges: 7, newCharges: 0 });
    expect(change(100)).toMatchObject({ oldCharges: 0, newCharges: 7 });
    expect(() => change(0.5)).toThrow(refusal('invalid_parameters'));
    expect(() =>
      world.answer('modify-item-charges', { actorUuid: 'Actor.mira', itemName: 'Dagger', amount: 1 }),
    ).toThrow(refusal('no_charges'));
  });

  test('experience does not fall below 0, and the level stays as it is', () => {
    const world = createWorld();
    const change = (amount: number) =>
      world.answer('modify-experience', { actorUuid: 'Actor.mira', amount }).data;
    expect(change(100_000)).toMatchObject({ oldXp: 6_500, newXp: 106_500 });
    expect(actorOf(world, 'Actor.mira').level).toBe(5);
    expect(change(-200_000).newXp).toBe(0);
    expect(() => world.answer('modify-experience', { actorUuid: 'Actor.ghoul', amount: 1 })).toThrow(
      refusal('not_a_character'),
    );
  });

  test('SRD 5.1, Magic Items: no more than three attuned items, and only those that ask for it', () => {
    const world = createWorld();
    const attune = (itemName: string, attuned: boolean) =>
      world.answer('attune-item', { actorUuid: 'Actor.theron', itemName, attuned }).data.attuned;
    expect(() => attune('Gauntlets of Ogre Power', true)).toThrow(refusal('attunement_limit'));
    attune('Stone of Good Luck', false);
    expect(attune('Gauntlets of Ogre Power', true)).toBe(true);
    expect(() => attune('Longsword', true)).toThrow(refusal('not_attunable'));
  });

  test('coins that are missing are not changed from others, and then nothing moves', () => {
    const world = createWorld();
    const give = (currency: object) =>
      world.answer('transfer-currency', {
        sourceActorUuid: 'Actor.mira',
        targetActorName: 'sable quickfoot',
        currency,
      });
    const before = world.state();
    expect(() => give({ gp: 1, pp: 1 })).toThrow(refusal('insufficient_funds'));
    expect(world.state()).toBe(before);
    expect(give({ gp: 0, sp: 2 }).data).toMatchObject({ targetActorUuid: 'Actor.sable' });
    expect(world.state().chat.at(-1)).toMatchObject({ title: 'Coins for Sable Quickfoot', text: '2 sp' });
    world.answer('transfer-currency', {
      sourceActorUuid: 'Actor.sable',
      targetActorUuid: 'Actor.mira',
      currency: { sp: 2 },
    });
    expect(give({ gp: 42, cp: 4 }).data).toMatchObject({
      sourceBalance: { pp: 0, gp: 0, ep: 0, sp: 12, cp: 0 },
      targetBalance: { pp: 1, gp: 60, ep: 0, sp: 30, cp: 12 },
    });
  });
});
