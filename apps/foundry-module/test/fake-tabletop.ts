import { onTestFinished, vi } from 'vitest';

/** The globals of a tabletop as far as the line reads them, until the test ends. */
export function fakeTabletop({ worldId = 'lost-mine' } = {}): {
  settings: Map<string, unknown>;
  modules: Map<string, { title: string; active: boolean }>;
} {
  const settings = new Map<string, unknown>();
  const modules = new Map<string, { title: string; active: boolean }>();
  vi.stubGlobal('game', {
    world: { id: worldId, title: worldId },
    modules,
    user: { role: 4 },
    settings: {
      settings,
      get: (namespace: string, key: string) => settings.get(`${namespace}.${key}`),
      set: (namespace: string, key: string, value: unknown) =>
        Promise.resolve(settings.set(`${namespace}.${key}`, value)),
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return { settings, modules };
}

/** A browser's storage: one for all worlds of an origin. */
export function fakeArea() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}
