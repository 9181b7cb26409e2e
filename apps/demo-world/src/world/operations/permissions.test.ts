import { describe, expect, test } from 'vitest';
import { refusal, token } from '../../../test/look-up.ts';
import { createWorld } from '../world.ts';

describe('a player', () => {
  const asBen = { userId: 'Ben' };

  test('acts for actors of their own, by user id or name', () => {
    const world = createWorld();
    const check = { actorUuid: 'Actor.mira', skill: 'arc' };
    expect(world.answer('skill-check', check, { userId: 'ben' }).data.actorUuid).toBe('Actor.mira');
    expect(world.answer('skill-check', check, asBen).data.actorUuid).toBe('Actor.mira');
  });

  test.each([
    ['skill-check', { actorUuid: 'Actor.borin', skill: 'arc' }],
    ['get-actor-details', { actorUuid: 'Actor.borin', details: ['items'] }],
    ['transfer-currency', { sourceActorUuid: 'Actor.borin', targetActorUuid: 'Actor.mira', currency: { gp: 1 } }],
    ['transfer-currency', { sourceActorUuid: 'Actor.mira', targetActorUuid: 'Actor.borin', currency: { gp: 1 } }],
    ['use-item', { actorUuid: 'Actor.cultist', abilityName: 'Scimitar' }],
    ['select', { uuids: [token('cultist')] }],
    ['start-encounter', {}],
    ['next-round', {}],
    ['last-turn', {}],
    ['last-round', {}],
    ['remove-from-encounter', { uuids: [token('mira')] }],
    ['move-token', { name: 'Mira Thornwood', x: 1, y: 1 }],
    ['switch-scene', { sceneId: 'crypt' }],
    ['give', { toUuid: 'Actor.borin', itemName: 'Silver key' }],
    ['give', { fromUuid: 'Actor.borin', toUuid: 'Actor.mira', itemName: 'Shield' }],
    ['remove', { actorUuid: 'Actor.borin', itemName: 'Shield' }],
    ['modify-currency', { actorUuid: 'Actor.borin', currency: 'gp', amount: 1 }],
    ['prepare-spell', { actorUuid: 'Actor.borin', spellName: 'Bless', prepared: false }],
    ['short-rest', { actorUuid: 'Actor.borin' }],
    ['long-rest', { actorUuid: 'Actor.borin' }],
    ['break-concentration', { actorUuid: 'Actor.borin' }],
    ['equip-item', { actorUuid: 'Actor.borin', itemName: 'Shield', equipped: false }],
    ['end-encounter', {}],
    ['add-to-encounter', { uuids: [token('mira')] }],
  ] as const)('may not %s what is not theirs', (operation, parameters) => {
    const world = createWorld();
    const before = world.state();
    expect(() => world.answer(operation, parameters, asBen)).toThrow(refusal('permission_denied'));
    expect(world.state()).toBe(before);
  }); // prettier-ignore

  test('ends the turn of an actor of their own and no other', () => {
    const world = createWorld();
    expect(world.answer('next-turn', {}, asBen).currentTurn).toBe(1);
    expect(() => world.answer('next-turn', {}, asBen)).toThrow(refusal('permission_denied'));
  });

  test('neither selects hidden tokens nor learns that they are there', () => {
    const world = createWorld();
    const as = { userId: 'Cleo' };
    expect(() => world.answer('select', { uuids: [token('lurker')] }, as)).toThrow(
      refusal('entity_not_found'),
    );
    expect(world.answer('select', { all: true, overwrite: true }, as).selected).toEqual([token('borin')]);
    expect(world.answer('select', { all: true }).selected).toContain(token('lurker'));
    expect(world.answer('selected', {}, as).selected).toEqual([
      { tokenUuid: token('borin'), actorUuid: 'Actor.borin' },
    ]);
  });

  test('sees that a hidden combatant is there and nothing of it', () => {
    const world = createWorld();
    world.answer('add-to-encounter', { uuids: [token('lurker')] });
    const seen = world.answer('encounters', {}, asBen).encounters[0]?.combatants ?? [];
    expect(seen).toHaveLength(7);
    expect(JSON.stringify(seen)).not.toContain('lurker');
    expect(JSON.stringify(seen)).not.toContain('Drowned');
  });
});

test.each([
  ['entity', { uuid: 'Actor.ghoul' }, 'see Actor.ghoul'],
  ['get-effects', { uuid: 'Actor.ghoul' }, 'see Actor.ghoul'],
  ['get-scene', { sceneId: 'crypt' }, 'see Scene.crypt'],
  ['get-canvas-documents', { sceneId: 'crypt', documentType: 'walls' }, 'see Scene.crypt'],
  ['update', { uuid: 'Actor.borin', data: {} }, 'change Actor.borin'],
  ['increase', { uuid: 'Actor.borin', attribute: 'system.currency.gp', amount: 1 }, 'change Actor.borin'],
  ['add-effect', { uuid: 'Actor.borin', statusId: 'prone' }, 'change Actor.borin'],
  ['remove-effect', { uuid: 'Actor.borin', statusId: 'prone' }, 'change Actor.borin'],
  ['kill', { uuid: 'Actor.borin' }, 'change Actor.borin'],
  ['update-scene', { active: true, data: {} }, 'change Scene.chapel'],
  ['create-canvas-document', { documentType: 'notes', data: {} }, 'change Scene.chapel'],
  ['delete', { uuid: 'Actor.borin' }, 'delete Actor.borin'],
  ['delete-scene', { active: true }, 'delete Scene.chapel'],
  ['chat-delete', { messageId: 'ambush-begins' }, 'delete ChatMessage.ambush-begins'],
  ['create', { entityType: 'Scene', data: {} }, 'create a document of the kind Scene'],
  ['create-scene', { data: {} }, 'create a document of the kind Scene'],
] as const)('%s says what a player may not', (operation, parameters, what) => {
  const world = createWorld();
  const before = world.state();
  expect(() => world.answer(operation, parameters, { userId: 'Ben' })).toThrow(`Ben may not ${what}`);
  expect(world.state()).toBe(before);
});

test('a game master may do it all', () => {
  const world = createWorld();
  const as = { userId: 'Ada' };
  expect(world.answer('skill-check', { actorUuid: 'Actor.borin', skill: 'rel' }, as).data.skill).toBe('rel');
  expect(world.answer('next-round', {}, as).currentRound).toBe(2);
});

test('an unknown user is refused, whatever the operation', () => {
  expect(() => createWorld().answer('players', {}, { userId: 'Zoe' })).toThrow(refusal('user_not_found'));
});
