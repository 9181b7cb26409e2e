import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Loads the script in a tabletop of that generation up to `init`. */
async function load(generation: number) {
  const hooks = new Map<string, () => void>();
  const registered: string[] = [];
  const warn = vi.fn<(text: string) => void>();
  vi.stubGlobal('Hooks', { once: (hook: string, run: () => void) => hooks.set(hook, run) });
  vi.stubGlobal('ui', { notifications: { warn } });
  vi.stubGlobal('game', {
    release: { generation },
    settings: { register: (_namespace: string, key: string) => registered.push(key) },
    keybindings: { register: (_namespace: string, action: string) => registered.push(`key ${action}`) },
    i18n: { format: (key: string, data: object) => `${key} ${JSON.stringify(data)}` },
  });
  await import('../src/main.ts');
  hooks.get('init')?.();
  return { hooks, registered, warn };
}

test('on generation 11 it starts nothing, and says in one sentence why', async () => {
  const { hooks, registered, warn } = await load(11);
  hooks.get('ready')?.();
  expect(registered).toEqual([]);
  expect(warn).toHaveBeenCalledExactlyOnceWith('TABLETOP-RELAY.notice.generation {"generation":"11"}');
});

test.each([12, 15])('on generation %i it starts', async (generation) => {
  const { registered, warn } = await load(generation);
  expect(registered).toEqual([
    'clientId',
    'pairedRelayUrl',
    'serverFingerprint',
    'policy',
    'pausedBy',
    'key pause',
    'connectionToken',
  ]);
  expect(warn).not.toHaveBeenCalled();
});
