import { beforeAll, describe, expect, test } from 'vitest';
import { createWorld } from '../world.ts';
import { loadNotation } from '../rules/rolls/notation.ts';

beforeAll(loadNotation);

const refusal = (code: string) => expect.objectContaining({ code }) as Error;

describe('the chat', () => {
  test('shows whispers to their author, their recipients and game masters', () => {
    const world = createWorld({ seed: 1 });
    world.answer('chat-send', { content: '<p>Psst</p>', whisper: ['Ben'] }, { userId: 'Cleo' });
    const seenBy = (userId?: string) =>
      world.answer('chat-messages', { limit: 1 }, { userId }).data.messages[0]?.content;
    for (const reader of [undefined, 'Ada', 'Ben', 'Cleo']) expect(seenBy(reader)).toBe('<p>Psst</p>');
    expect(seenBy('Dev')).not.toBe('<p>Psst</p>');
    expect(world.state().chat.at(-1)?.text).toBe('Psst');
  });

  test('loses a message to its author or a game master, and all of it to a game master', () => {
    const world = createWorld({ seed: 1 });
    const { data } = world.answer('chat-send', { content: 'x' }, { userId: 'Ben' });
    const remove = (userId: string) => world.answer('chat-delete', { messageId: data.id }, { userId });
    expect(() => remove('Cleo')).toThrow(refusal('permission_denied'));
    expect(remove('Ben')).toMatchObject({ success: true });
    expect(() => world.answer('chat-flush', {}, { userId: 'Ben' })).toThrow(refusal('permission_denied'));
    world.answer('chat-flush', {});
    expect(world.state().chat).toEqual([]);
  });

  test('remembers rolls, and speaks only for actors that are one’s own', () => {
    const world = createWorld({ seed: 1 });
    expect(world.answer('last-roll', {}).data).toBeNull();
    const call = { formula: '1d20', speaker: 'Actor.mira' };
    expect(() => world.answer('roll', call, { userId: 'Cleo' })).toThrow(refusal('permission_denied'));
    const { data } = world.answer('roll', call, { userId: 'Ben' });
    expect(world.answer('last-roll', {}).data).toMatchObject({
      messageId: data.id,
      rollTotal: data.roll.total,
      user: { id: 'ben' },
    });
    world.answer('roll', { formula: '1d4', createChatMessage: false });
    expect(world.answer('rolls', {}).data).toHaveLength(1);
  });
});

describe('users', () => {
  test('are made, changed and removed by game masters alone', () => {
    const world = createWorld({ seed: 1 });
    const { data } = world.answer('create-user', { name: 'Eve', password: 'hunter2', character: 'mira' });
    expect(data).toMatchObject({ name: 'Eve', role: 1, character: 'mira' });
    expect(JSON.stringify(world.state())).not.toContain('hunter2');
    expect(() => world.answer('create-user', { name: 'eve' })).toThrow(refusal('already_exists'));
    world.answer('update-user', { name: 'Eve', data: { role: 4, password: 'hunter2' } });
    expect(JSON.stringify(world.state())).not.toContain('hunter2');
    world.answer('delete-user', { name: 'Ada' }, { userId: 'Eve' });
    expect(() => world.answer('delete-user', { name: 'Eve' })).toThrow(refusal('last_game_master'));
    expect(() => world.answer('get-users', {}, { userId: 'Ben' })).toThrow(refusal('permission_denied'));
  });
});

describe('effects', () => {
  test('of the rules and of one’s own come and go', () => {
    const world = createWorld({ seed: 1 });
    const add = (more: object) => world.answer('add-effect', { uuid: 'Scene.chapel.Token.mira', ...more });
    add({ statusId: 'prone' });
    expect(() => add({ statusId: 'prone' })).toThrow(refusal('already_exists'));
    expect(() => add({ statusId: 'bored' })).toThrow(refusal('unknown_status'));
    const { effect } = add({ effectData: { name: 'Blessed' } }).data;
    const names = () =>
      world.answer('get-effects', { uuid: 'Actor.mira' }).data.effects.map(({ name }) => name);
    expect(names()).toEqual(['Prone', 'Blessed']);
    world.answer('remove-effect', { uuid: 'Actor.mira', statusId: 'prone' });
    world.answer('remove-effect', { uuid: 'Actor.mira', effectId: effect!.id });
    expect(names()).toEqual([]);
  });
});

describe('folders', () => {
  test('hold documents, are found, and go with what is in them where that is said', () => {
    const world = createWorld({ seed: 1 });
    const { data } = world.answer('create-folder', { name: 'Loot', folderType: 'Item' });
    world.answer('update', { uuid: 'Item.silver-key', data: { folder: data.id } });
    expect(world.answer('get-folder', { name: 'loot' }).data.contents).toMatchObject([
      { name: 'Silver key' },
    ]);
    expect(() => world.answer('delete-folder', { folderId: data.id })).toThrow(refusal('not_empty'));
    const deleted = world.answer('delete-folder', { folderId: data.id, deleteAll: true }).data;
    expect(deleted).toMatchObject({ entitiesDeleted: 1, foldersDeleted: 1 });
    expect(() => world.answer('entity', { uuid: 'Item.silver-key' })).toThrow(refusal('entity_not_found'));
  });

  test('tell a player only of what they may know', () => {
    const world = createWorld({ seed: 1 });
    const told = (userId?: string) =>
      JSON.stringify(world.answer('structure', { recursive: true }, { userId }));
    expect(told()).toContain('What lies below');
    expect(told('Ben')).not.toContain('What lies below');
    expect(told('Ben')).toContain('Rumours of the chapel');
  });
});

describe('search', () => {
  test('finds by name, kind and field, in the world and in compendiums, what the user may know', () => {
    const world = createWorld({ seed: 1 });
    const names = (parameters: object, userId?: string) =>
      world.answer('search', parameters, { userId }).results.map(({ name }) => name);
    expect(names({ query: 'fireb' })).toEqual(['Fireball']);
    expect(names({ query: 'fireb', excludeCompendiums: true })).toEqual([]);
    expect(names({ filter: 'JournalEntry' })).toHaveLength(2);
    expect(names({ filter: 'JournalEntry' }, 'Ben')).toEqual(['Rumours of the chapel']);
    expect(names({ filter: 'documentType:Actor,type:npc' })).toContain('Cultist');
    expect(names({ filter: 'Actor', ownedByUserId: 'ben' })).toEqual(['Mira Thornwood', 'Theron Vale']);
    expect(names({ query: '', limit: 3 })).toHaveLength(3);
  });
});

describe('coins and spells', () => {
  test('a balance never falls below 0', () => {
    const world = createWorld();
    const call = { actorUuid: 'Actor.mira', currency: 'gp', amount: -100 };
    expect(world.answer('modify-currency', call).data).toMatchObject({
      previous: 42,
      current: 0,
      delta: -100,
    });
  });

  test('a spell that is not prepared cannot be cast', () => {
    const world = createWorld({ seed: 1 });
    world.answer('prepare-spell', { actorUuid: 'Actor.mira', spellName: 'Fireball', prepared: false });
    const cast = { actorUuid: 'Actor.mira', abilityName: 'Fireball' };
    expect(() => world.answer('use-spell', cast)).toThrow(refusal('not_prepared'));
  });
});
