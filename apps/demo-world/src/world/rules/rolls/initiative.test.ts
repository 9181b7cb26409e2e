import { expect, test } from 'vitest';
import { borin } from '../../content/borin.ts';
import { mira } from '../../content/mira.ts';
import { sable } from '../../content/sable.ts';
import type { Actor, Combatant } from '../../state.ts';
import { turnOrder } from './initiative.ts';

const combatant = (actor: Actor, initiative: number | null, id = actor.name): Combatant => ({
  id,
  name: actor.name,
  tokenUuid: id,
  actorUuid: actor.uuid,
  img: '',
  initiative,
  hidden: false,
  defeated: false,
});
const order = (...combatants: Combatant[]) => turnOrder(combatants, [mira, borin, sable]).map(({ id }) => id);

test('SRD 5.1, Combat: the highest initiative goes first, who has not rolled last', () => {
  expect(order(combatant(mira, null), combatant(borin, 3), combatant(sable, 12))).toEqual([
    'Sable Quickfoot',
    'Borin Ironhand',
    'Mira Thornwood',
  ]);
});

test('ties go to the higher dexterity score, then to who joined first', () => {
  expect(
    order(combatant(mira, 9, 'mira'), combatant(sable, 9, 'sable'), combatant(mira, 9, 'mira-2')),
  ).toEqual(['sable', 'mira', 'mira-2']);
});
