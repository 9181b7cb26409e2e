import type { Cluster } from '@tabletop-relay/cluster';
import { closeCodes } from '@tabletop-relay/contract';
import type { CloseName, ConnectionOutcome } from '@tabletop-relay/contract';
import { randomBytes } from 'node:crypto';
import type { ConnectionTokens, TokenPrincipal } from '../../worlds/authenticate-token.ts';
import { ClientSocket } from '../client-socket.ts';
import type { SocketContext, SocketLink } from '../client-socket.ts';
import type { ConnectionLog } from './connection-log.ts';
import { createGate } from './gate.ts';
import type { GateOptions } from './gate.ts';
import { metaOf } from '../../worlds/known-clients.ts';
import type { Visitor } from './visitor.ts';

export interface AdmissionDeps {
  cluster: Cluster;
  tokens: ConnectionTokens;
  connectionLog: Pick<ConnectionLog, 'record'>;
  sockets: SocketContext;
  gate: GateOptions;
  isDraining(): boolean;
}

/** How long a module that was sent to another instance counts as moving: its calls are 503, not 404. */
export const comesBackWithinMs = 30_000;

/**
 * Runs all checks of a socket that brought its token: token, address, and that no living browser serves this
 * client anywhere in the cluster. Resolves with the admitted socket, or undefined after it was closed.
 */
export function createAdmission(deps: AdmissionDeps) {
  const { cluster, tokens, connectionLog } = deps;
  const gate = createGate(deps.sockets.deadlines, deps.gate);

  /** Checks of a module that has gone would only keep others waiting. */
  async function admitInTurn(
    link: SocketLink,
    visitor: Visitor,
    token: string,
  ): Promise<ClientSocket | undefined> {
    const gone = new AbortController();
    link.ws.once('close', () => gone.abort());
    const admitted = await gate(() => admit(link, visitor, token), gone.signal);
    if (admitted !== 'gone' && admitted !== 'full') return admitted;
    const [outcome, close] =
      admitted === 'gone' ? (['gone', 'normal'] as const) : (['unavailable', 'temporary'] as const);
    return createRefuse(link, visitor, connectionLog)(outcome, close);
  }

  async function admit(link: SocketLink, visitor: Visitor, token: string): Promise<ClientSocket | undefined> {
    const { ws } = link;
    const refuse = createRefuse(link, visitor, connectionLog);
    const hasGone = () => ws.readyState !== ws.OPEN;
    if (hasGone()) return refuse('gone', 'normal');
    const verdict = await tokens.verify(token, visitor.clientId, visitor.address);
    if (!('ok' in verdict)) {
      const [outcome, close] = refusals[verdict.refused];
      return refuse(outcome, close, verdict.principal, verdict.cause);
    }
    const principal = verdict.ok;
    if (hasGone()) return refuse('gone', 'normal', principal);
    const socket = new ClientSocket(link, newConn(), identify(visitor, principal), deps.sockets);
    const claim = {
      clientId: visitor.clientId,
      conn: socket.conn,
      accountId: principal.accountId,
      meta: JSON.stringify(metaOf(socket.identity, cluster.instanceId)),
    };
    const claimed = await cluster.directory.claim(claim);
    if (claimed.outcome === 'duplicate') return refuse('duplicate', 'duplicate', principal);
    if (claimed.outcome === 'unavailable')
      return refuse('unavailable', 'temporary', principal, claimed.cause);
    socket.epoch = claimed.epoch;
    socket.meta = claim.meta;
    // A token revoked while the claim was made has no listener yet that would close this socket. From here until
    // the socket is known to `clients` nothing waits for I/O, so no event can come in between.
    const again = await tokens.recheck(principal, visitor.address);
    // A drain that began meanwhile has told the sockets that it knew, and waits for no other: this one comes back.
    const isSentOn = 'ok' in again && deps.isDraining();
    if (!('ok' in again) || hasGone() || isSentOn) {
      const movingMs = isSentOn ? comesBackWithinMs : 0;
      await cluster.directory.release(visitor.clientId, socket.conn, movingMs).catch(() => {});
      if (isSentOn) return refuse('unavailable', 'goingAway', principal);
      if ('ok' in again) return refuse('gone', 'normal', principal);
      const [outcome, close] = refusals[again.refused];
      return refuse(outcome, close, principal);
    }
    // What the token may do can have changed meanwhile, too.
    socket.identity.principal = again.ok;
    connectionLog.record({ visitor, outcome: 'connected', closeCode: null, principal });
    return socket;
  }

  return { admit: admitInTurn };
}

/** Records why a socket is not let in, and closes it. */
function createRefuse({ ws }: SocketLink, visitor: Visitor, log: AdmissionDeps['connectionLog']) {
  return (outcome: ConnectionOutcome, close: CloseName, principal?: TokenPrincipal, cause?: unknown) => {
    log.record({ visitor, outcome, closeCode: closeCodes[close].code, principal, cause });
    ws.close(closeCodes[close].code, closeCodes[close].meaning);
    return undefined;
  };
}

const refusals = {
  invalid: ['token_invalid', 'tokenInvalid'],
  address_not_allowed: ['address_not_allowed', 'addressNotAllowed'],
  temporary: ['unavailable', 'temporary'],
} as const satisfies Record<string, readonly [ConnectionOutcome, CloseName]>;

function identify(visitor: Visitor, principal: TokenPrincipal): ClientSocket['identity'] {
  return {
    clientId: visitor.clientId,
    accountId: principal.accountId,
    principal,
    address: visitor.address,
    ipAddress: visitor.ipAddress,
    world: visitor.world,
    connectedSince: Date.now(),
  };
}

function newConn(): string {
  return randomBytes(12).toString('base64url');
}
