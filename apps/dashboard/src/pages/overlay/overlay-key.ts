import type { Scope } from '@tabletop-relay/contract';
import type { OverlayLook } from '../../overlay/overlay-link.ts';
import { createPageKeys } from '../../page-keys.ts';
import { api } from '../../request.ts';
import { findWorld, nameOf } from '../../store.ts';
import type { WorldUser } from '../../world-users.ts';

/** What an overlay’s key reaches. */
export interface OverlayKeyTerms {
  clientId: string;
  /** The user whose eyes viewers borrow; undefined: nobody’s, so that the key reads turns alone. */
  userId: string | undefined;
  look: Pick<OverlayLook, 'showsHealth'>;
}

/** All of these read. Without a user they would read as the game master, so then the key has the turns alone. */
export const overlayScopes = ({ userId, look }: Pick<OverlayKeyTerms, 'userId' | 'look'>): Scope[] =>
  userId === undefined
    ? ['encounter:read']
    : ['encounter:read', 'events:subscribe', ...(look.showsHealth ? (['entity:read'] as const) : [])];

/** Makes the key that stands in an overlay’s address: for one world, and for one of its users. */
export async function makeOverlayKey(terms: OverlayKeyTerms): Promise<string> {
  const { clientId, userId } = terms;
  const world = findWorld(clientId);
  const { apiKey } = await api.createApiKey({
    name: `Stream overlay: ${world ? nameOf(world) : clientId}`.slice(0, 100),
    scopes: overlayScopes(terms),
    clientIds: [clientId],
    ...(userId === undefined ? {} : { actingUserId: userId }),
  });
  return apiKey;
}

/** Keys of the preview: they see no more than the overlay will. */
export const previewKeys = createPageKeys({
  purpose: 'overlay',
  scopes: (userId) => overlayScopes({ userId, look: { showsHealth: true } }),
});

/** The user to begin with: one who was made for viewers, else the first player. Game masters see too much. */
export function viewerAmong(users: readonly WorldUser[]): WorldUser | undefined {
  const players = users.filter(({ isGM }) => !isGM);
  return players.find(({ name }) => /stream|overlay|viewer|observer|spectator/i.test(name)) ?? players[0];
}
