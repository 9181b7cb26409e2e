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
      'const mira = game.actors.getName("Mira Thornwood"); mira.name = "X"; game.actors.length = 1; return [mira._id, game.user.id];';
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

  test.each([
    ['more messages than it may', Array<string>(21).fill('x')],
    ['a message too long', ['x'.repeat(20_000)]],
    ['messages that are no text', [{}]],
  ])('that forges %s fails, and the world stays as it was', async (_what, said) => {
    const runScript = () => Promise.resolve({ value: 1, said } satisfies ScriptOutcome);
    const world = createWorld({ seed: 1, outside: { runScript } });
    const { chat } = world.state();
    await expect(runIn(world, 'x')).rejects.toThrow(refusal('script_failed'));
    expect(world.state().chat).toBe(chat);
  });

  test('of a player is refused, and where the world runs none, anybody’s', async () => {
    await expect(runIn(createNodeWorld(), 'return 1', 'Ben')).rejects.toThrow(refusal('permission_denied'));
    await expect(runIn(createWorld(), 'return 1')).rejects.toThrow(refusal('not_supported'));
  });

  test('leaves what others changed meanwhile', async () => {
    const world = createNodeWorld({ seed: 1 });
    const running = runIn(world, 'return game.actors.length');
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
