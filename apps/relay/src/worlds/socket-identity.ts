import type { Declarations, WorldMetadata } from '@tabletop-relay/contract';
import type { TokenPrincipal } from './authenticate-token.ts';

/** The world behind a socket, as its token proves it and its URL describes it. */
export interface SocketIdentity {
  clientId: string;
  accountId: string;
  /** The connection token: its name, permissions and what was paired with it. */
  principal: TokenPrincipal;
  /** Without the port: what allowlists compare. */
  address: string;
  /** Address and port of the peer. */
  ipAddress: string;
  /** The module's description of its world at connecting. */
  world: WorldMetadata;
  /** Declaration of the module in its `auth` frame. */
  declared: Declarations;
  /** Whether that world, and the page that it is open in, are those that were paired. */
  isAsPaired: boolean;
  connectedSince: number;
}
