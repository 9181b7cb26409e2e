import { connectionTokenEndpoints, pairingEndpoints, worldEndpoints } from '@tabletop-relay/contract';
import { serve } from '../endpoint-handler.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';
import { accountEventHandlers } from './account-events.ts';
import type { AccountEventDeps } from './account-events.ts';
import { connectionTokenHandlers } from './connection-tokens.ts';
import type { ConnectionTokenDeps } from './connection-tokens.ts';
import { knownClientHandlers } from './known-client-handlers.ts';
import type { KnownClientDeps } from './known-client-handlers.ts';
import { pairingHandlers } from './pairing-handlers.ts';
import type { PairingDeps } from './pairing.ts';

export type WorldsDeps = PairingDeps & KnownClientDeps & ConnectionTokenDeps & AccountEventDeps;

/** The endpoints of this room. */
export function serveWorlds(deps: WorldsDeps): ServedEndpoint[] {
  return [
    ...serve(pairingEndpoints, pairingHandlers(deps)),
    ...serve(worldEndpoints, { ...knownClientHandlers(deps), ...accountEventHandlers(deps) }),
    ...serve(connectionTokenEndpoints, connectionTokenHandlers(deps)),
  ];
}
