import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEvents } from './events.ts';

const hooks = new Map<number, { hook: string; run: (...args: unknown[]) => unknown }>();
const emit = vi.fn<(channel: string, event: () => object, options: object) => boolean>();
const failed = vi.fn<(error: unknown) => void>();
let last = 0;

beforeEach(() => {
  vi.stubGlobal('Hooks', {
    on(hook: string, run: () => unknown) {
      hooks.set(++last, { hook, run });
      return last;
    },
    off: (_hook: string, id: number) => hooks.delete(id),
  });
  vi.stubGlobal('game', { users: [{ id: 'gm', isGM: true }] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  hooks.clear();
  emit.mockReset();
  failed.mockReset();
});

const start = () => createEvents({ emit: emit as never }, failed);
const attached = () => [...hooks.values()].map(({ hook }) => hook);

test('the hooks of a channel are attached with its first listener, once, and gone with its last', () => {
  const events = start();
  expect(attached()).toEqual([]);
  events.listen('chat', 1);
  events.listen('chat', 3);
  events.listen('rolls', 1);
  const ofChat = ['createChatMessage', 'updateChatMessage', 'deleteChatMessage'];
  expect(attached()).toEqual([...ofChat, 'createChatMessage']);
  events.listen('chat', 0);
  expect(attached()).toEqual(['createChatMessage']);
  events.listen('chat', 0);
  events.listen('rolls', 0);
  expect(attached()).toEqual([]);
  events.listen('chat', 1);
  expect(attached()).toEqual(ofChat);
});

test.each(['actor', 'chat', 'combat', 'hooks', 'rolls', 'scene'] as const)(
  'nothing at the hooks of %s gives anything back or fails, so that nothing is vetoed',
  (channel) => {
    start().listen(channel, 1);
    expect(hooks.size).toBeGreaterThan(0);
    for (const { run } of hooks.values())
      for (const given of [[], [null, {}], [{}, {}]]) expect(run(...given)).toBeUndefined();
  },
);
