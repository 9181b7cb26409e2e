import type { JSHandle } from 'playwright-core';
import { afterEach, expect, test, vi } from 'vitest';
import { foundryModule } from './module.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A page whose scripts run here. */
const shown = {
  evaluate: (run: (document: unknown, input: unknown) => unknown, input: unknown) =>
    Promise.resolve(run(undefined, input)),
} as unknown as JSHandle<Document>;

/** A tabletop with these modules, each with the id that it gave the world. */
function tabletopWith(modules: Readonly<Record<string, string>>): void {
  const names = Object.keys(modules).flatMap((name) =>
    ['clientId', 'pairedRelayUrl', 'connectionToken'].map((key) => [`${name}.${key}`, {}] as const),
  );
  vi.stubGlobal('game', {
    world: { id: 'w', title: 'W' },
    system: { id: 's', title: 'S', version: '1' },
    user: { isGM: true },
    settings: {
      settings: new Map<string, unknown>([['core.time', {}], ['half.connectionToken', {}], ...names]),
      get: (name: string, key: string) => (key === 'clientId' ? modules[name] : ''),
    },
  });
}

test.each([
  ['the only one', { other: 'a' }, 'a'],
  ['ours, of two that paired the world', { other: 'a', 'tabletop-relay': 'b' }, 'b'],
  ['the other, where it alone paired the world', { other: 'a', 'tabletop-relay': '' }, 'a'],
  ['ours, where neither did', { other: '', 'tabletop-relay': '' }, ''],
])('the module is %s', async (_what, modules, clientId) => {
  tabletopWith(modules);
  expect((await foundryModule.read(shown)).clientId).toBe(clientId);
});

test('a world without one is told so', async () => {
  tabletopWith({});
  await expect(foundryModule.read(shown)).rejects.toThrow('not active in this world');
});

test('of two that were not paired yet, ours is paired', async () => {
  tabletopWith({ other: '', 'tabletop-relay': '' });
  const set = vi.fn<(name: string, key: string, value: unknown) => void>();
  (globalThis as unknown as { game: { settings: { set: unknown } } }).game.settings.set = set;
  await foundryModule.write(shown, { clientId: 'c' } as never);
  expect(set).toHaveBeenCalledExactlyOnceWith('tabletop-relay', 'clientId', 'c');
});
