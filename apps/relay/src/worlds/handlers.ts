import {
  connectionTokenEndpoints,
  moduleInstallEndpoints,
  pairRequestEndpoints,
  pairingEndpoints,
  worldEndpoints,
} from '@tabletop-relay/contract';
import { serve } from '../endpoint-handler.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';
import { accountEventHandlers } from './account-events.ts';
import type { AccountEventDeps } from './account-events.ts';
import { connectionTokenHandlers } from './connection-tokens.ts';
import type { ConnectionTokenDeps } from './connection-tokens.ts';
import { knownClientHandlers } from './known-client-handlers.ts';
import type { KnownClientDeps } from './known-client-handlers.ts';
import { moduleInstallHandlers } from './module-install.ts';
import type { ModuleInstallDeps } from './module-install.ts';
import { pairRequestHandlers } from './pairing/requests/handlers.ts';
import type { PairRequestDeps } from './pairing/requests/pair-requests.ts';
import { pairingHandlers } from './pairing/handlers.ts';

export type WorldsDeps = PairRequestDeps &
  KnownClientDeps &
  ConnectionTokenDeps &
  AccountEventDeps &
  ModuleInstallDeps;

/** The endpoints of this room. */
export function serveWorlds(deps: WorldsDeps): ServedEndpoint[] {
  return [
    ...serve(pairingEndpoints, pairingHandlers(deps)),
    ...serve(pairRequestEndpoints, pairRequestHandlers(deps)),
    ...serve(worldEndpoints, { ...knownClientHandlers(deps), ...accountEventHandlers(deps) }),
    ...serve(moduleInstallEndpoints, moduleInstallHandlers(deps)),
    ...serve(connectionTokenEndpoints, connectionTokenHandlers(deps)),
  ];
}
