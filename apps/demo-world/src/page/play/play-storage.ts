import type { ModuleStorage, StoredSettings } from '@tabletop-relay/module-sdk';

/** The key of this browser's connection token. */
const tokenKey = 'demo-world.connectionToken';

/**
 * Keeps a module's settings where a tabletop keeps them: those of the world on its server, which only a game master changes,
 * and the token in this browser.
 */
export function playStorage(browser: Storage): ModuleStorage {
  const readWorld = async (): Promise<StoredSettings> => {
    const response = await fetch('play/world');
    if (!response.ok) return {};
    const { settings } = (await response.json()) as {
      settings: { clientId: string; pairedRelayUrl: string };
    };
    const { clientId, pairedRelayUrl } = settings;
    return { clientId: clientId || undefined, pairedRelayUrl: pairedRelayUrl || undefined };
  };

  return {
    async load() {
      return { ...(await readWorld()), connectionToken: browser.getItem(tokenKey) ?? undefined };
    },
    async save(changes) {
      const { connectionToken, ...ofWorld } = changes;
      if ('connectionToken' in changes) {
        if (connectionToken === undefined) browser.removeItem(tokenKey);
        else browser.setItem(tokenKey, connectionToken);
      }
      if (Object.keys(ofWorld).length === 0) return;
      const { clientId = '', pairedRelayUrl = '' } = { ...(await readWorld()), ...ofWorld };
      await fetch('play/settings', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ clientId, pairedRelayUrl }),
      });
    },
  };
}
