import { describe, expect, test } from 'vitest';
import { createWorld, stepEvents } from '@tabletop-relay/demo-world';
import type { World } from '@tabletop-relay/demo-world';
import { readLink, usualLook, writeLink } from './overlay-link.ts';
import type { OverlayLink } from './overlay-link.ts';
import {
  actorsWithoutHealth,
  emptyPicture,
  seenCombatants,
  takeActor,
  takeCombat,
  takeMessage,
  withHealth,
  wordOf,
} from './picture.ts';
import type { Picture } from './picture.ts';

/** The picture after what a world told of `run`, taken by the very events. */
function pictureOf(run: (world: World) => void, start: Picture = emptyPicture): Picture | undefined {
  const world = createWorld({ seed: 1, now: () => 1 });
  let picture: Picture | undefined = start;
  world.subscribe(({ before, state }) => {
    for (const event of stepEvents.combat(before, state)) picture &&= takeCombat(picture, event);
    for (const event of stepEvents.hooks(before, state)) picture &&= takeActor(picture, event);
    for (const event of stepEvents.chat(before, state)) picture &&= takeMessage(picture, event);
  });
  run(world);
  return picture;
}

const nextTurn = (world: World) => world.answer('next-turn', {});

describe('a fight', () => {
  test('is known whole after one event', () => {
    const picture = pictureOf(nextTurn);
    expect(picture?.fight).toMatchObject({ encounterId: 'ambush', round: 1 });
    const seen = seenCombatants(picture!.fight!);
    expect(seen.map(({ name, hasTurn }) => [name, hasTurn])).toContainEqual(['Ghoul', true]);
    expect(seen.filter(({ hasTurn }) => hasTurn)).toHaveLength(1);
  });

  test('does not show who is hidden, also when it is their turn', () => {
    const picture = pictureOf((world) => {
      world.perform({ kind: 'hide-token', tokenUuid: 'Scene.chapel.Token.ghoul', hidden: true });
      nextTurn(world);
    });
    const seen = seenCombatants(picture!.fight!);
    expect(seen.map(({ name }) => name)).not.toContain('Ghoul');
    expect(seen.filter(({ hasTurn }) => hasTurn)).toEqual([]);
  });

  test('of a module that does not say who is hidden is read before it is shown', () => {
    const told = { eventType: 'turn', encounterId: 'ambush', round: 2, turn: 0 };
    const unknown = { id: 'a', name: 'Assassin', initiative: 20, defeated: false };
    expect(takeCombat(emptyPicture, { ...told, combatants: [unknown] })).toBeUndefined();
    expect(takeCombat(emptyPicture, told)).toBeUndefined();
    const read = { encounterId: 'ambush', round: 1, turn: 0, combatants: [{ ...unknown, hidden: true }] };
    const next = takeCombat({ ...emptyPicture, fight: read }, { ...told, combatants: [unknown] });
    expect(next?.fight).toMatchObject({ round: 2, combatants: [{ hidden: true }] });
  });

  test('that ends is read anew, and another that goes on beside it is not shown', () => {
    const shown = pictureOf(nextTurn)!;
    expect(takeCombat(shown, { eventType: 'end', encounterId: 'ambush' })).toBeUndefined();
    const other = { eventType: 'turn', encounterId: 'other', round: 1, turn: 0, combatants: [] };
    expect(takeCombat(shown, other)).toBe(shown);
    expect(takeCombat(shown, { eventType: 'end', encounterId: 'other' })).toBe(shown);
    expect(takeCombat(shown, { ...other, eventType: 'start' })?.fight?.encounterId).toBe('other');
  });
});

describe('hit points', () => {
  test('are those of the last event about the actor', () => {
    const picture = pictureOf((world) =>
      world.perform({ kind: 'damage', actorUuid: 'Actor.sable', amount: 4 }),
    );
    expect(picture?.health.get('Actor.sable')).toMatchObject({ max: 38, isCharacter: true });
  });

  test('are read for those whose events have not come, and an event that came meanwhile wins', () => {
    const picture = pictureOf(nextTurn)!;
    expect(actorsWithoutHealth(picture)).toContain('Actor.mira');
    const told = { ...picture, health: new Map([['Actor.mira', { value: 1, max: 30, isCharacter: true }]]) };
    const read = withHealth(told, [
      ['Actor.mira', { value: 30, max: 30, isCharacter: true }],
      ['Actor.borin', { value: 40, max: 40, isCharacter: true }],
    ]);
    expect(read.health.get('Actor.mira')?.value).toBe(1);
    expect(actorsWithoutHealth(read)).not.toContain('Actor.borin');
  });

  test.each([{}, { args: [] }, { args: [null] }, { args: [{ uuid: 'a', system: null }] }, { args: 'x' }])(
    'of another shape are left alone: %j',
    (data) => {
      expect(takeActor(emptyPicture, data)).toBe(emptyPicture);
    },
  );
});

describe('the last roll', () => {
  test('is a public one', () => {
    const roll = (world: World) => world.answer('skill-check', { actorUuid: 'Actor.mira', skill: 'arc' });
    expect(pictureOf(roll)?.roll).toMatchObject({ who: 'Mira Thornwood', what: 'Arcana check' });
  });

  test.each([
    { eventType: 'create', data: { whisper: ['ada'], rolls: [{ total: 3 }] } },
    { eventType: 'create', data: { rolls: [{ total: 3 }] } },
    { eventType: 'create', data: { whisper: [], rolls: [] } },
    { eventType: 'create', data: { whisper: [], rolls: [{ formula: '1d6' }] } },
    { eventType: 'delete', data: { id: 'a' } },
    {},
  ])('is not this: %j', (data) => {
    expect(takeMessage(emptyPicture, data)).toBe(emptyPicture);
  });
});

describe('turns', () => {
  const one = (id: string, initiative: number | null, hidden = false) => ({
    id,
    name: id,
    initiative,
    hidden,
    defeated: false,
  });
  const fight = { encounterId: 'a', round: 1, turn: 1 };

  test('are in the order of initiative, in whatever order the combatants joined', () => {
    const seen = seenCombatants({
      ...fight,
      combatants: [one('late', null), one('slow', 4), one('quick', 20)],
    });
    expect(seen.map(({ id, hasTurn }) => [id, hasTurn])).toEqual([
      ['quick', false],
      ['slow', true],
      ['late', false],
    ]);
  });

  test('are nobody’s where somebody hidden has a place that is not told', () => {
    const seen = seenCombatants({
      ...fight,
      combatants: [one('quick', 20), one('Hidden', null, true), one('slow', 4)],
    });
    expect(seen.map(({ id, hasTurn }) => [id, hasTurn])).toEqual([
      ['quick', false],
      ['slow', false],
    ]);
  });
});

test.each([
  [22, 22, 'Unhurt'],
  [30, 22, 'Unhurt'],
  [12, 22, 'Hurt'],
  [11, 22, 'Bloodied'],
  [5, 22, 'Near death'],
  [0, 22, 'Down'],
  [-3, 22, 'Down'],
])('%i of %i hit points is %s', (value, max, word) => {
  expect(wordOf({ value, max })).toBe(word);
});

describe('a link', () => {
  const link: OverlayLink = { ...usualLook, key: 'trk_a', client: 'demo', turnsOnly: false };

  test('names key and world behind the #, and is as usual where it says no more', () => {
    expect(writeLink('https://relay', link)).toBe('https://relay/overlay#client=demo&key=trk_a');
    expect(readLink('#client=demo&key=trk_a')).toEqual(link);
  });

  test.each([
    link,
    { ...link, turnsOnly: true, showsHealth: false, showsRolls: false },
    { ...link, showsHealth: false },
    { ...link, showsRolls: false, monsters: 'numbers', size: 150 },
    { ...link, monsters: 'nothing', hasPlates: false, client: undefined },
  ] satisfies OverlayLink[])('is read as it was written: %j', (one) => {
    expect(readLink(new URL(writeLink('https://relay', one)).hash)).toEqual(one);
  });

  test.each([
    '#key=%20trk_a%0A&client=+demo+',
    'key=trk_a&client=demo&other=1&size=1000&monsters=all&relay=http://localhost:3010',
  ])('is read with what is pasted around its parts, and without what it does not know: %j', (hash) => {
    expect(readLink(hash)).toEqual(link);
  });

  test.each(['', '#client=a', '#key=', '#key=+'])('%j is none', (hash) => {
    expect(readLink(hash)).toBeUndefined();
  });
});
