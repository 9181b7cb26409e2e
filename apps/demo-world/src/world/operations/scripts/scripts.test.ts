import type { OperationName } from '@tabletop-relay/contract';
import { describe, expect, test } from 'vitest';
import { refusal } from '../../../../test/look-up.ts';
import { createNodeWorld } from '../../../node-world.ts';
import type { ScriptOutcome } from '../../outside.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

const ask = (world: World, operation: OperationName, parameters: object, userId?: string) =>
  world.receive({ requestId: 'x', operation, parameters, userId }) as Promise<{ result: unknown }>;

const runIn = (world: World, script: string, userId?: string) => ask(world, 'execute-js', { script }, userId);

describe('a script', () => {
  test('sees the world, as a copy: what it does to it changes nothing', async () => {
    const world = createNodeWorld({ seed: 1 });
    const script =
      'const mira = game.actors.getName("Mira Thornwood"); mira.name = "X"; game.actors.clear(); return [mira._id, game.user.id];';
    expect((await runIn(world, script)).result).toEqual(['mira', 'ada']);
    expect(world.state().actors).toEqual(createWorld().state().actors);
  });

  test('may send a few messages, and game masters are told of it by a whisper', async () => {
    const world = createNodeWorld({ seed: 1 });
    await runIn(world, 'await ChatMessage.create({ content: "<b>Hi</b>" })');
    expect(world.state().chat.slice(-2)).toMatchObject([
      { text: 'Hi' },
      { title: 'ran a script', whisper: ['ada'] },
    ]);
    const many = 'for (let i = 0; i < 30; i++) await ChatMessage.create({ content: "x" })';
    const { chat } = world.state();
    await expect(runIn(world, many)).rejects.toThrow(refusal('script_failed'));
    expect(world.state().chat).toBe(chat);
  });

  const say = (content: unknown) => ({ create: 'ChatMessage', data: { content } });

  test.each<[string, unknown]>([
    ['more messages than it may', Array.from({ length: 21 }, () => say('x'))],
    ['a message too long', [say('x'.repeat(20_000))]],
    ['messages that are no text', [say({})]],
    [
      'more changes than it may',
      Array.from({ length: 501 }, () => ({ update: 'Actor.mira', changes: { name: 'X' } })),
    ],
    ['what is no list', { length: 1 }],
    ['what is no deed', [{ run: 'x' }]],
    ['a document of no kind', [{ create: '__proto__', data: {} }]],
    ['a document where it does not belong', [{ create: 'Item', parent: 'Scene.chapel', data: { _id: 'x' } }]],
    ['a document in nothing', [{ create: 'Token', parent: null, data: { _id: 'x' } }]],
    ['a change of nothing', [{ update: 'Actor.nobody', changes: {} }]],
    ['a recipient', [{ create: 'ChatMessage', data: { content: 'x', whisper: ['nobody'] } }]],
  ])('that forges %s fails, and the world stays as it was', async (_what, deeds) => {
    const runScript = () => Promise.resolve({ value: 1, deeds } satisfies ScriptOutcome);
    const world = createWorld({ seed: 1, outside: { runScript } });
    const before = world.state();
    await expect(runIn(world, 'x')).rejects.toThrow(refusal('script_failed'));
    expect({ ...world.state(), calls: [] }).toEqual({ ...before, calls: [] });
  });

  test('of a player is refused, and where the world runs none, anybody’s', async () => {
    await expect(runIn(createNodeWorld(), 'return 1', 'Ben')).rejects.toThrow(refusal('permission_denied'));
    await expect(runIn(createWorld(), 'return 1')).rejects.toThrow(refusal('not_supported'));
  });

  test('leaves what others changed meanwhile', async () => {
    const world = createNodeWorld({ seed: 1 });
    const running = runIn(world, 'return game.actors.size');
    world.perform({ kind: 'say', text: 'Meanwhile' });
    await running;
    expect(world.state().chat.slice(-2)).toMatchObject([{ text: 'Meanwhile' }, { title: 'ran a script' }]);
  });
});

describe('a macro', () => {
  test('is listed with its code for those who may see it, and run by its owner', async () => {
    const world = createNodeWorld({ seed: 1 });
    expect(world.answer('macros', {}).macros).toMatchObject([{ uuid: 'Macro.toll', canExecute: true }]);
    expect(world.answer('macros', {}, { userId: 'Ben' }).macros).toEqual([]);
    const data = { ownership: { default: 2 } };
    world.answer('update', { uuid: 'Macro.toll', data });
    expect(world.answer('macros', {}, { userId: 'Ben' }).macros).toEqual([
      {
        uuid: 'Macro.toll',
        id: 'toll',
        name: 'Toll the bell',
        type: 'script',
        author: 'ada',
        command: 'return args.times ?? 1;',
        img: 'icons/macro.svg',
        scope: 'global',
        canExecute: false,
      },
    ]);
    const call = { uuid: 'Macro.toll', args: { times: { a: 1 } } };
    expect(await ask(world, 'macro-execute', call)).toMatchObject({ success: true, result: { a: 1 } });
    await expect(ask(world, 'macro-execute', call, 'Ben')).rejects.toThrow(refusal('permission_denied'));
    await expect(ask(world, 'macro-execute', { uuid: 'Actor.mira' })).rejects.toThrow(
      refusal('entity_not_found'),
    );
  });

  test('of a player runs as the game master, as today’s modules run it', async () => {
    const world = createNodeWorld({ seed: 1 });
    const data = { name: 'Who', type: 'script', command: 'return game.user.name' };
    const { uuid } = world.answer('create', { entityType: 'Macro', data }, { userId: 'Ben' });
    expect((await ask(world, 'macro-execute', { uuid }, 'Ben')).result).toEqual({ value: 'Ada' });
  });

  test('of chat is said', async () => {
    const world = createNodeWorld({ seed: 1 });
    const data = { name: 'Call', type: 'chat', command: '<b>To arms!</b>' };
    const { uuid } = world.answer('create', { entityType: 'Macro', data });
    await ask(world, 'macro-execute', { uuid });
    expect(world.state().chat.at(-1)).toMatchObject({ text: 'To arms!' });
  });
});
