import { webStorage } from '@tabletop-relay/module-sdk';
import type { ModuleStorage } from '@tabletop-relay/module-sdk';
import { readSetting, worldId, writeSetting } from '../tabletop/foundry.ts';
import { findOtherModule, isSameRelay } from './other-module.ts';

export type BrowserArea = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * What all browsers of the world share lies in the world's settings. The token lies in this browser under the world's id: client settings of the
 * tabletop are one for all worlds of a server, and world settings are read by every player. A world that another module paired with the relay of
 * `relayUrl` goes on as the one that it was.
 */
export function worldStorage(area: BrowserArea, relayUrl: () => string): ModuleStorage {
  const browser = webStorage(area, worldId());
  return {
    async load() {
      const { connectionToken } = await browser.load();
      return {
        clientId: readSetting('clientId') || adopted(relayUrl()),
        pairedRelayUrl: readSetting('pairedRelayUrl') || undefined,
        connectionToken,
      };
    },
    async save(changes) {
      for (const key of ['clientId', 'pairedRelayUrl'] as const)
        if (key in changes && readSetting(key) !== (changes[key] ?? ''))
          await writeSetting(key, changes[key] ?? '');
      // Last, because whoever sees a token stored connects with the world's part.
      if ('connectionToken' in changes) await browser.save({ connectionToken: changes.connectionToken });
    },
  };
}

/** The id under which another module serves this world at that relay. */
function adopted(relayUrl: string): string | undefined {
  const other = findOtherModule();
  return other && isSameRelay(other.pairedRelayUrl, relayUrl) ? other.clientId || undefined : undefined;
}
