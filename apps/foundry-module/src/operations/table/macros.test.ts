import { afterEach, expect, test, vi } from 'vitest';
import { macros } from './macros.ts';

afterEach(() => void vi.unstubAllGlobals());

const signal = new AbortController().signal;

test('an approved macro meets no variable in place of what the page has', async () => {
  vi.stubGlobal('game', { user: { isGM: true } });
  const command = 'return game.user.isGM';
  const execute = (scope: object) => Promise.resolve(scope);
  vi.stubGlobal('fromUuid', () => Promise.resolve({ documentName: 'Macro', command, execute }));
  const args = { game: { user: {} }, fromUuid: 1, undefined: 1, speaker: 'x', level: 3 };
  const call = { user: null, signal, code: command };
  const { result } = await macros['macro-execute']({ uuid: 'Macro.x', args }, call);
  expect(result).toEqual({ level: 3, args });
});

test('game masters are told of a script that fails too', async () => {
  const told = vi.fn<(message: { content: string }) => Promise<object>>(() => Promise.resolve({}));
  class Failing {
    execute = () => Promise.reject(new Error('no'));
  }
  vi.stubGlobal('CONFIG', { Macro: { documentClass: Failing } });
  vi.stubGlobal('game', { user: { id: 'ada' }, users: [{ id: 'ada', isGM: true }] });
  vi.stubGlobal('ChatMessage', { create: told });
  const shown = { textContent: '', outerHTML: '' };
  vi.stubGlobal('document', { createElement: () => shown });
  const script = `${'x'.repeat(2_000)}hidden`;
  const running = macros['execute-js']({ script }, { user: null, signal, code: script });
  await expect(running).rejects.toMatchObject({ code: 'script_failed' });
  expect([told.mock.calls.length, shown.textContent]).toEqual([1, `${'x'.repeat(2_000)}… (6 letters more)`]);
});
