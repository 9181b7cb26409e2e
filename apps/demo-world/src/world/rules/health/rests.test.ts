import { describe, expect, test } from 'vitest';
import { loadedDice } from '../../../../test/loaded-dice.ts';
import { borin } from '../../content/borin.ts';
import { mira } from '../../content/mira.ts';
import { sable } from '../../content/sable.ts';
import { theron } from '../../content/theron.ts';
import type { Actor } from '../../state.ts';
import { takeLongRest, takeShortRest } from './rests.ts';

const spent = (actor: Actor): Actor => ({
  ...actor,
  items: actor.items.map((item) =>
    item.charges ? { ...item, charges: { ...item.charges, value: 0 } } : item,
  ),
});
const chargesOf = (actor: Actor, id: string) => actor.items.find((item) => item.id === id)?.charges?.value;

describe('SRD 5.1, Adventuring: Short Rest', () => {
  test('hit dice are spent while below the threshold, each with constitution', () => {
    // 17 of 38, half is 19: the first die (3 + 2) is enough.
    const { actor, rolls } = takeShortRest(sable, 0.5, loadedDice('3/8'));
    expect(actor).toMatchObject({ hitPoints: { value: 22 }, hitDice: { spent: 2 } });
    expect(rolls).toMatchObject([{ formula: '1d8 + 2', total: 5 }]);
  });

  test('no more dice than there are, and none at the maximum', () => {
    const { actor } = takeShortRest(sable, 1, loadedDice('1/8', '1/8', '1/8', '1/8'));
    expect(actor).toMatchObject({ hitPoints: { value: 29 }, hitDice: { spent: 5 } });
    expect(takeShortRest(mira, 1, loadedDice()).rolls).toEqual([]);
  });

  test('a hit die never costs hit points', () => {
    const frail = { ...sable, abilities: { ...sable.abilities, con: { score: 1, saveProficient: false } } };
    expect(takeShortRest(frail, 0.45, loadedDice('1/8', '1/8', '1/8', '1/8')).actor.hitPoints.value).toBe(17);
  });

  test('what recharges with it does, what needs a long rest does not', () => {
    expect(chargesOf(takeShortRest(spent(theron), 0, loadedDice()).actor, 'second-wind')).toBe(1);
    expect(chargesOf(takeShortRest(spent(mira), 0, loadedDice()).actor, 'arcane-recovery')).toBe(0);
  });

  test('SRD 5.1, Warlock: pact magic slots return, others do not', () => {
    const warlock = { ...mira, pactSlots: { value: 0, max: 2, level: 3 } };
    const { actor } = takeShortRest(warlock, 0, loadedDice());
    expect(actor).toMatchObject({ pactSlots: { value: 2 }, spellSlots: { 1: { value: 3, max: 4 } } });
  });
});

describe('SRD 5.1, Adventuring: Long Rest', () => {
  test('all hit points and slots, half the hit dice, no temporary hit points', () => {
    const tired = {
      ...borin,
      hitPoints: { value: 4, max: 43, temp: 6 },
      hitDice: { faces: 8, max: 5, spent: 5 },
    };
    const { actor } = takeLongRest(tired, false, loadedDice());
    expect(actor).toMatchObject({
      hitPoints: { value: 43, temp: 0 },
      hitDice: { spent: 3 },
      spellSlots: { 1: { value: 4 }, 2: { value: 3 }, 3: { value: 2 } },
    });
  });

  test('at least one hit die returns', () => {
    const beginner = { ...sable, level: 1, hitDice: { faces: 8, max: 1, spent: 1 } };
    expect(takeLongRest(beginner, false, loadedDice()).actor.hitDice.spent).toBe(0);
  });

  test('features of both rests return', () => {
    expect(
      chargesOf(takeLongRest(spent(borin), false, loadedDice()).actor, 'channel-divinity-preserve-life'),
    ).toBe(1);
    expect(chargesOf(takeLongRest(spent(mira), false, loadedDice()).actor, 'arcane-recovery')).toBe(1);
  });

  test('SRD 5.1, Magic Items: the wand regains 1d6 + 1 charges at dawn, at most to its 7', () => {
    expect(chargesOf(takeLongRest(spent(mira), true, loadedDice('4/6')).actor, 'wand')).toBe(5);
    const nearlyFull = { ...mira, items: mira.items.map((item) => (item.id === 'wand' && item.charges ? { ...item, charges: { ...item.charges, value: 6 } } : item)) }; // prettier-ignore
    expect(chargesOf(takeLongRest(nearlyFull, true, loadedDice('6/6')).actor, 'wand')).toBe(7);
    expect(chargesOf(takeLongRest(spent(mira), false, loadedDice()).actor, 'wand')).toBe(0);
  });
});
