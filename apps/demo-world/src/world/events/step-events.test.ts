import { channelNames, channels, eventNameOf } from '@tabletop-relay/contract';
import type { Channel, ChannelDefinition } from '@tabletop-relay/contract';
import { describe, expect, test } from 'vitest';
import { token } from '../../../test/look-up.ts';
import type { WorldState } from '../state.ts';
import { chatLength } from '../transaction.ts';
import type { World } from '../world.ts';
import { createWorld } from '../world.ts';
import { stepEvents } from './step-events.ts';

type Told = Record<Channel, Record<string, unknown>[]>;

/** What each channel tells of what `run` does to a world. */
function toldOf(run: (world: World) => void): Told {
  const world = createWorld({ seed: 1, now: () => 1 });
  const told = Object.fromEntries(channelNames.map((channel) => [channel, []])) as unknown as Told;
  world.subscribe(({ before, state }) => {
    for (const channel of channelNames) told[channel].push(...stepEvents[channel](before, state));
  });
  run(world);
  return told;
}

const namesIn = (told: Told) =>
  channelNames.flatMap((channel) =>
    told[channel].map((event) => eventNameOf(channels[channel] as ChannelDefinition, event)),
  );

describe('by the API', () => {
  test.each([
    ['a roll', 'skill-check', { actorUuid: 'Actor.mira', skill: 'arc' }, ['createChatMessage', 'chat-create', 'roll']],
    ['experience', 'modify-experience', { actorUuid: 'Actor.mira', amount: 5 }, ['updateActor', 'actor-update']],
    ['an item', 'equip-item', { actorUuid: 'Actor.mira', itemName: 'Dagger', equipped: false }, ['updateItem', 'actor-item-update']],
    ['a turn', 'next-turn', {}, ['combatTurn', 'updateCombat', 'createChatMessage', 'combat-turn', 'chat-create']],
    ['a round', 'next-round', {}, ['combatRound', 'updateCombat', 'createChatMessage', 'combat-round', 'chat-create']],
    ['a start', 'start-encounter', {}, ['createCombat', 'combatStart', 'createChatMessage', 'combat-start', 'chat-create']],
    ['an end', 'end-encounter', {}, ['deleteCombat', 'createChatMessage', 'combat-end', 'chat-create']],
    ['a combatant that joins', 'add-to-encounter', { uuids: [token('cultist')] }, ['createCombatant', 'updateCombat', 'combat-combatant-add']],
    ['a combatant that leaves', 'remove-from-encounter', { uuids: [token('ghoul')] }, ['deleteCombatant', 'updateCombat', 'combat-combatant-remove']],
    ['a selection', 'select', { name: 'Cultist', overwrite: true }, ['controlToken', 'controlToken']],
    ['reading', 'world-info', {}, []],
  ] as const)('%s is told', (_what, operation, parameters, expected) => {
    expect(namesIn(toldOf((world) => world.answer(operation, parameters)))).toEqual(expected);
  }); // prettier-ignore

  test('a roll has its dice, and the user who asked for it', () => {
    const { rolls, chat } = toldOf((world) =>
      world.answer('skill-check', { actorUuid: 'Actor.mira', skill: 'ath' }, { userId: 'Ben' }),
    );
    expect(rolls).toMatchObject([
      {
        flavor: 'Athletics check',
        rollTotal: expect.any(Number),
        user: { id: 'ben', name: 'Ben' },
        speaker: { alias: 'Mira Thornwood', actor: 'mira' },
        dice: [{ faces: 20, results: [{ result: expect.any(Number), active: true }] }],
      },
    ]);
    expect(chat).toMatchObject([
      { eventType: 'create', data: { id: rolls[0]?.['id'], type: 5, isRoll: true, author: { name: 'Ben' } } },
    ]);
  });
});

describe('by hand', () => {
  test('a token that is moved', () => {
    const move = { kind: 'move-token', tokenUuid: token('mira'), x: 6, y: 7 } as const;
    const told = toldOf((world) => world.perform(move));
    expect(namesIn(told)).toEqual(['updateToken', 'scene-token-update']);
    expect(told.scene).toMatchObject([{ sceneId: 'chapel', tokenId: 'mira', changes: { x: 6, y: 7 } }]);
  });

  test('another scene, where nothing is selected', () => {
    const told = toldOf((world) => world.perform({ kind: 'activate-scene', sceneId: 'crypt' }));
    expect(namesIn(told).join(' ')).toBe(
      'controlToken updateScene updateScene canvasReady scene-scene-activate',
    );
  });

  test('hit points, nested as documents are', () => {
    const told = toldOf((world) => world.perform({ kind: 'damage', actorUuid: 'Actor.sable', amount: 4 }));
    const changes = { system: { attributes: { hp: { value: 13 } } } };
    expect(told.actor).toMatchObject([{ eventType: 'update', actorUuid: 'Actor.sable', changes }]);
    expect(told.hooks).toMatchObject([
      {
        hook: 'updateActor',
        args: [{ name: 'Sable Quickfoot', system: { attributes: { hp: { max: 38 } } } }, changes],
      },
    ]);
  });

  test('an effect begins and ends', () => {
    const told = toldOf((world) => {
      world.perform({ kind: 'damage', actorUuid: 'Actor.sable', amount: 20 });
      world.perform({ kind: 'damage', actorUuid: 'Actor.sable', amount: -10 });
    });
    expect(told.actor.filter(({ eventType }) => eventType !== 'update')).toMatchObject([
      { eventType: 'effect-add', effect: { name: 'unconscious' } },
      { eventType: 'effect-remove', effectName: 'unconscious' },
    ]);
  });

  test('what is said', () => {
    const { chat } = toldOf((world) => world.perform({ kind: 'say', text: 'Behind the altar!' }));
    expect(chat).toMatchObject([
      { eventType: 'create', data: { type: 1, content: 'Behind the altar!', speaker: { alias: 'Ada' } } },
    ]);
  });

  test('whose turn it is, with the order of initiative', () => {
    const { combat } = toldOf((world) => world.answer('next-turn', {}));
    expect(combat).toMatchObject([{ encounterId: 'ambush', round: 1, turn: 1, combatants: { length: 6 } }]);
  });

  test('that somebody is defeated', () => {
    const combatantId = 'ambush-ghoul';
    const { combat } = toldOf((world) =>
      world.perform({ kind: 'set-defeated', combatantId, defeated: true }),
    );
    expect(combat).toMatchObject([{ eventType: 'update', changes: { combatants: expect.any(Array) } }]);
  });
});

/** What no operation of this world does yet, as a state after the one that is found. */
const steps: Record<string, (found: WorldState) => WorldState> = {
  'an actor is created': (found) => ({ ...found, actors: [...found.actors, { ...found.actors[0]!, uuid: 'Actor.new' }] }),
  'an actor is deleted': (found) => ({ ...found, actors: found.actors.slice(1) }),
  'an item is given': (found) => withActor(found, (actor) => ({ ...actor, items: [...actor.items, { ...actor.items[0]!, id: 'new' }] })),
  'an item is taken': (found) => withActor(found, (actor) => ({ ...actor, items: actor.items.slice(1) })),
  'a token is placed': (found) => withTokens(found, (tokens) => [...tokens, { ...tokens[0]!, uuid: 'Scene.chapel.Token.new' }]),
  'a token is removed': (found) => withTokens(found, (tokens) => tokens.slice(1)),
  'a message is changed': (found) => ({ ...found, chat: found.chat.map((one, index) => (index === 0 ? { ...one, text: 'Edited' } : one)) }),
  'a message is deleted': (found) => ({ ...found, chat: found.chat.slice(1) }),
  'a light is placed': (found) => withDocument(found, 'AmbientLight', { x: 2 }),
  'a wall is placed': (found) => withDocument(found, 'Wall', { x: 2 }),
}; // prettier-ignore

const expected: Record<keyof typeof steps, string[]> = {
  'an actor is created': ['createActor'],
  'an actor is deleted': ['deleteActor'],
  'an item is given': ['createItem', 'actor-item-add'],
  'an item is taken': ['deleteItem', 'actor-item-remove'],
  'a token is placed': ['createToken', 'scene-token-create'],
  'a token is removed': ['deleteToken', 'scene-token-delete'],
  'a message is changed': ['updateChatMessage', 'chat-update'],
  'a message is deleted': ['deleteChatMessage', 'chat-delete'],
  'a light is placed': ['createAmbientLight', 'scene-light-create'],
  'a wall is placed': ['createWall', 'scene-wall-create'],
};

test.each(Object.entries(steps))('when %s, it is told', (name, step) => {
  const found = foundWorld();
  expect(namesBetween(found, step(found))).toEqual(expected[name]);
});

test.each(['AmbientLight', 'Wall'])('a %s that is changed or taken away is told', (kind) => {
  const word = kind === 'Wall' ? 'wall' : 'light';
  const placed = withDocument(foundWorld(), kind, { x: 2 });
  const moved = withDocument(placed, kind, { x: 3 });
  expect(namesBetween(placed, moved)).toEqual([`update${kind}`, `scene-${word}-update`]);
  expect(stepEvents.scene(placed, moved)).toMatchObject([
    { sceneId: 'chapel', [`${word}Id`]: 'one', changes: { x: 3 } },
  ]);
  expect(namesBetween(moved, { ...moved, documents: foundWorld().documents })).toEqual([
    `delete${kind}`,
    `scene-${word}-delete`,
  ]);
});

test('a message that a full chat has no more room for is forgotten, not deleted', () => {
  const found = foundWorld();
  const message = (id: number) => ({ ...found.chat[0]!, id: String(id) });
  const full = { ...found, chat: Array.from({ length: chatLength }, (_, id) => message(id)) };
  const next = { ...full, chat: [...full.chat.slice(1), message(chatLength)] };
  expect(namesBetween(full, next)).toEqual(['createChatMessage', 'chat-create']);
});

test('every event that the contract knows is told', () => {
  const found = foundWorld();
  const light = (x: number) => withDocument(withDocument(found, 'AmbientLight', { x }), 'Wall', { x });
  const told = new Set([
    ...namesBetween(light(1), light(2)),
    ...namesBetween(light(1), { ...found, documents: {} }),
    ...Object.values(steps).flatMap((step) => namesBetween(found, step(found))),
    ...namesIn(toldOf(play)),
  ]);
  const known = channelNames.flatMap((channel) => Object.keys(channels[channel].events));
  expect(known.filter((name) => !told.has(name))).toEqual([]);
});

/** A bit of everything. */
function play(world: World): void {
  world.answer('next-turn', {});
  world.answer('next-round', {});
  world.answer('add-to-encounter', { uuids: [token('cultist')] });
  world.answer('remove-from-encounter', { uuids: [token('cultist')] });
  world.perform({ kind: 'set-defeated', combatantId: 'ambush-ghoul', defeated: true });
  world.answer('end-encounter', {});
  world.answer('start-encounter', {});
  world.perform({ kind: 'damage', actorUuid: 'Actor.sable', amount: 20 });
  world.perform({ kind: 'damage', actorUuid: 'Actor.sable', amount: -10 });
  world.answer('equip-item', { actorUuid: 'Actor.mira', itemName: 'Dagger', equipped: false });
  world.perform({ kind: 'move-token', tokenUuid: token('mira'), x: 6, y: 7 });
  world.perform({ kind: 'activate-scene', sceneId: 'crypt' });
  world.perform({ kind: 'roll', formula: '2d6' });
}

/** The world as it is found, with one message in its chat. */
function foundWorld(): WorldState {
  const world = createWorld({ seed: 1, now: () => 1 });
  world.perform({ kind: 'say', text: 'Hello' });
  return world.state();
}

function namesBetween(before: WorldState, after: WorldState): (string | undefined)[] {
  const told = channelNames.map((channel) => [channel, stepEvents[channel](before, after)]);
  return namesIn(Object.fromEntries(told) as Told);
}

/** With a document that lies in the chapel. */
function withDocument(state: WorldState, kind: string, data: Record<string, unknown>): WorldState {
  const uuid = `Scene.chapel.${kind}.one`;
  return { ...state, documents: { ...state.documents, [uuid]: { kind, parent: 'Scene.chapel', data } } };
}

function withActor(
  state: WorldState,
  change: (actor: WorldState['actors'][number]) => WorldState['actors'][number],
): WorldState {
  return { ...state, actors: state.actors.map((actor, index) => (index === 0 ? change(actor) : actor)) };
}

function withTokens(
  state: WorldState,
  change: (tokens: WorldState['scenes'][number]['tokens']) => WorldState['scenes'][number]['tokens'],
): WorldState {
  const scenes = state.scenes.map((scene, index) =>
    index === 0 ? { ...scene, tokens: change(scene.tokens) } : scene,
  );
  return { ...state, scenes };
}
