import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Call } from '../operations/call.ts';
import type * as Choose from './choose.ts';
import type { RulesSystem } from './system.ts';

let choose: typeof Choose;

beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal('game', { system: { id: 'other', title: 'Another game' } });
  choose = await import('./choose.ts');
});
afterEach(() => void vi.unstubAllGlobals());

const call: Call = { user: null, signal: new AbortController().signal, code: undefined };

test('a world of another system refuses what nobody answers for it', () => {
  expect(() => choose.sys5e['death-save']({ actorUuid: 'Actor.a' }, call)).toThrow(
    expect.objectContaining({
      code: 'wrong_system',
      message: expect.stringContaining('Another game') as string,
    }),
  );
});

test('what another module brings is asked first, where it fits, and only for what it has', async () => {
  const answer = (total: number): RulesSystem => ({
    id: `of-${total}`,
    matches: () => total > 1,
    operations: {
      'death-save': ({ actorUuid }) => ({
        data: { actorUuid, total, deathSaves: { success: 1, failure: 0 } },
      }),
    },
  });
  choose.registerSystem(answer(1));
  choose.registerSystem(answer(2));
  choose.registerSystem(answer(3));
  expect(await choose.sys5e['death-save']({ actorUuid: 'Actor.a' }, call)).toMatchObject({
    data: { total: 2 },
  });
  expect(() => choose.sys5e['prepare-spell']({ uuid: 'Actor.a', name: 'x', prepared: true }, call)).toThrow(
    'Another game',
  );
});

test('what is no rules system is refused at once', () => {
  for (const wrong of [undefined, {}, { id: 'x', matches: () => true }])
    expect(() => choose.registerSystem(wrong as never)).toThrow(TypeError);
});
