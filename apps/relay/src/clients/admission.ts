import type { Cluster } from '@tabletop-relay/cluster';
import { closeCodes } from '@tabletop-relay/contract';
import type { CloseName } from '@tabletop-relay/contract';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { mismatchOf } from '../accounts/fingerprint.ts';
import type { Records } from '../accounts/records.ts';
import type { ConnectionTokens, TokenPrincipal } from '../auth/connection-token.ts';
import type { RelayMetrics } from '../metrics.ts';
import { ClientSocket } from './client-socket.ts';
import type { SocketContext, SocketLink } from './client-socket.ts';
import { createGate } from './gate.ts';
import { metaOf } from './known-clients.ts';
import type { Visitor } from './visitor.ts';

export interface AdmissionDeps {
  cluster: Cluster;
  tokens: ConnectionTokens;
  records: Records;
  sockets: SocketContext;
  log: Logger;
  metrics: RelayMetrics;
  isDraining(): boolean;
}

/** What became of an attempt to connect: the `outcome` of its connection log. */
export type ConnectionOutcome =
  | 'connected'
  | 'auth_timeout'
  | 'auth_missing'
  | 'token_invalid'
  | 'address_not_allowed'
  | 'duplicate'
  | 'unavailable'
  | 'gone';

/** How long a module that was sent to another instance counts as moving: its calls are 503, not 404. */
export const comesBackWithinMs = 30_000;

/** Few enough to leave the stores room for calls; a probe of the incumbent takes longer than the patience. */
const atOnce = { width: 64, patienceMs: 250 };

/**
 * Runs all checks of a socket that brought its token: token, address, and that no living browser serves this
 * client anywhere in the cluster. Resolves with the admitted socket, or undefined after it was closed.
 */
export function createAdmission(deps: AdmissionDeps) {
  const { cluster, tokens, log } = deps;
  const gate = createGate(deps.sockets.deadlines, atOnce);

  async function admit(link: SocketLink, visitor: Visitor, token: string): Promise<ClientSocket | undefined> {
    const { ws } = link;
    const refuse = (
      outcome: ConnectionOutcome,
      close: CloseName,
      principal?: TokenPrincipal,
      cause?: unknown,
    ) => {
      recordAttempt(visitor, outcome, closeCodes[close].code, principal, cause);
      ws.close(closeCodes[close].code, closeCodes[close].meaning);
      return undefined;
    };
    const verdict = await tokens.verify(token, visitor.clientId, visitor.address);
    if (!('ok' in verdict)) {
      const [outcome, close] = refusals[verdict.refused];
      return refuse(outcome, close, verdict.principal, verdict.cause);
    }
    const principal = verdict.ok;
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
    // A token revoked while the claim was made has no listener yet that would close this socket.
    const again = await tokens.recheck(principal, visitor.address);
    // A drain that began meanwhile has told the sockets that it knew, and waits for no other: this one comes back.
    const isSentOn = 'ok' in again && deps.isDraining();
    if (!('ok' in again) || ws.readyState !== ws.OPEN || isSentOn) {
      const movingMs = isSentOn ? comesBackWithinMs : 0;
      await cluster.directory.release(visitor.clientId, socket.conn, movingMs).catch(() => {});
      if (isSentOn) return refuse('unavailable', 'goingAway', principal);
      if ('ok' in again) return refuse('gone', 'normal', principal);
      const [outcome, close] = refusals[again.refused];
      return refuse(outcome, close, principal);
    }
    recordAttempt(visitor, 'connected', null, principal);
    return socket;
  }

  function recordAttempt(
    visitor: Visitor,
    outcome: ConnectionOutcome,
    closeCode: number | null,
    principal?: TokenPrincipal,
    cause?: unknown,
  ): void {
    const mismatch = principal
      ? mismatchOf(principal.fingerprint, { ...visitor.world, origin: visitor.origin })
      : [];
    deps.metrics.connections.labels(outcome).inc();
    log.info(
      { clientId: visitor.clientId, outcome, closeCode, mismatch: mismatch.join() || undefined, err: cause },
      outcome === 'connected' ? 'module connected' : 'module refused',
    );
    deps.records.connection({
      account_id: principal?.accountId ?? null,
      client_id: visitor.clientId,
      token_id: principal?.tokenId ?? null,
      token_name: principal?.name ?? '',
      ip_address: visitor.ipAddress,
      user_agent: visitor.userAgent,
      world_id: visitor.world.worldId,
      world_title: visitor.world.worldTitle,
      system_id: visitor.world.systemId,
      system_version: visitor.world.systemVersion,
      tabletop_version: visitor.world.tabletopVersion,
      metadata_match: principal ? mismatch.length === 0 : null,
      mismatch,
      outcome,
      close_code: closeCode,
    });
  }

  return {
    admit: (link: SocketLink, visitor: Visitor, token: string) => gate(() => admit(link, visitor, token)),
    recordAttempt,
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
