import { storableText } from '@tabletop-relay/database';
import type { WorldOnPage } from '../adapters/adapter.ts';

const maxLength = 2000;

/** What a page says is JSON of a stranger's server, whatever its type: what is no text counts as none. */
export function toTexts({ world, clientId, pairedRelayUrl, isGameMaster }: WorldOnPage): WorldOnPage {
  const text = (value: unknown) => storableText(value, maxLength);
  const { worldId, worldTitle, tabletopVersion, systemId, systemTitle, systemVersion } = world;
  return {
    world: {
      worldId: text(worldId),
      worldTitle: text(worldTitle),
      tabletopVersion: text(tabletopVersion),
      systemId: text(systemId),
      systemTitle: text(systemTitle),
      systemVersion: text(systemVersion),
    },
    clientId: text(clientId),
    pairedRelayUrl: text(pairedRelayUrl),
    isGameMaster,
  };
}
