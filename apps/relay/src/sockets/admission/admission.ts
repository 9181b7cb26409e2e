import type { Claim, ClaimOutcome, Cluster } from '@tabletop-relay/cluster';
import { closeCodes, errors } from '@tabletop-relay/contract';
import type { CloseName, ConnectionOutcome, Declarations } from '@tabletop-relay/contract';
import { createGate } from '@tabletop-relay/kit';
import type { GateOptions, TurnedAway } from '@tabletop-relay/kit';
import { newId } from '@tabletop-relay/database';
import type { Logger } from 'pino';
import type { ConnectionTokens, TokenPrincipal, TokenVerdict } from '../../worlds/authenticate-token.ts';
import type { Arrivals } from '../arrivals.ts';
import { ClientSocket } from '../client-socket.ts';
import type { SocketContext, SocketLink } from '../client-socket.ts';
import { isConnected } from '../outbox.ts';
import type { AuthFrame } from './auth-frame.ts';
import type { ConnectionLog } from './connection-log.ts';
import { createRetries } from './retries.ts';
import type { RetryOptions } from './retries.ts';
import { mismatchOf } from '../../worlds/fingerprint.ts';
import { metaOf } from '../../worlds/known-clients.ts';
import type { Visitor } from './visitor.ts';

export type Admission = ReturnType<typeof createAdmission>;

/** How a standby comes to its client: after the owner, or in its place because a person says so. */
export type PromotionWay = 'succeed' | 'takeOver';

export interface AdmissionDeps {
  cluster: Cluster;
  arrivals: Pick<Arrivals, 'expect' | 'settle'>;
  tokens: ConnectionTokens;
  connectionLog: Pick<ConnectionLog, 'record'>;
  sockets: SocketContext;
  gate: GateOptions;
  retries: RetryOptions;
  log: Logger;
  draining: AbortSignal;
}

interface Refusal {
  outcome: ConnectionOutcome;
  close: CloseName;
  principal?: TokenPrincipal | undefined;
  /** What the module is told beside the code; the code's own meaning where it is not given. */
  reason?: string | undefined;
  cause?: unknown;
  /** A store could not be asked, or not in time: the same module may be let in a moment later. */
  isPassing?: boolean;
}

/** How long a module that was sent to another instance counts as moving: its calls are 503, not 404. */
export const comesBackWithinMs = 30_000;

/**
 * Runs all checks of a socket that brought its token: token, address, and that no living browser serves this client
 * anywhere in the cluster. While a store cannot be asked, the socket waits. Resolves with the admitted socket, or
 * undefined after it was closed.
 */
// oxlint-disable-next-line max-lines-per-function -- The order of the checks is what matters here, and is read in one place.
export function createAdmission(deps: AdmissionDeps) {
  const { cluster, arrivals, tokens, connectionLog } = deps;
  const gate = createGate(deps.gate);
  const retries = createRetries(deps.retries);

  /** Skips the checks of a module that has gone, because they would only keep others waiting. */
  async function admitAtGate(
    link: SocketLink,
    visitor: Visitor,
    auth: AuthFrame,
  ): Promise<ClientSocket | undefined> {
    const gone = new AbortController();
    link.ws.once('close', () => gone.abort());
    const admitted = await retries.retry({
      attempt: async () => turnedAway(await gate.pass(() => admit(link, visitor, auth), gone.signal)),
      isPassing: (result) => !deps.draining.aborted && 'isPassing' in result && result.isPassing,
      gone: gone.signal,
      onWait: () => deps.log.info({ clientId: visitor.clientId }, 'module is held'),
    });
    if (admitted instanceof ClientSocket) {
      const { conn, identity } = admitted;
      const { principal } = identity;
      if (admitted.isStandby)
        connectionLog.record({ visitor, outcome: 'standby', closeCode: null, principal });
      else connectionLog.record({ visitor, outcome: 'connected', closeCode: null, principal, conn });
      return admitted;
    }
    const { outcome, principal, cause, isPassing } = admitted;
    const close = isPassing && deps.draining.aborted ? 'goingAway' : admitted.close;
    connectionLog.record({ visitor, outcome, closeCode: closeCodes[close].code, principal, cause });
    link.ws.close(closeCodes[close].code, admitted.reason ?? closeCodes[close].meaning);
    return undefined;
  }

  async function admit(
    link: SocketLink,
    visitor: Visitor,
    { token, handover, declared }: AuthFrame,
  ): Promise<ClientSocket | Refusal> {
    const hasGone = () => !isConnected(link.ws, link.transport);
    if (hasGone()) return left();
    const verdict = await tokens.verify(token, visitor.clientId, visitor.address);
    if (!('ok' in verdict)) return refused(verdict);
    const principal = verdict.ok;
    if (hasGone()) return left(principal);
    const socket = new ClientSocket(link, newId(), identify(visitor, principal, declared), deps.sockets);
    arrivals.expect(socket.conn);
    let refusal: Refusal | undefined;
    try {
      // The claim would end the old owner, which serves the client, for a socket that is sent away.
      refusal =
        handover && deps.draining.aborted
          ? sentOn()
          : await claimClient(socket, (claim) => cluster.directory.claim(claim, handover), {
              hasGone,
              isExpected: handover !== undefined,
            });
    } catch (error) {
      arrivals.settle(socket.conn);
      throw error;
    }
    if (!refusal) return socket;
    try {
      if (refusal.outcome === 'duplicate' && declared.standby) refusal = await joinStandbys(socket, hasGone);
    } finally {
      // So long it counts as alive where another asks for its place.
      arrivals.settle(socket.conn);
    }
    return refusal ? { ...refusal, principal } : socket;
  }

  /** Puts the socket on the waiting list of its client. Resolves with the reason if it may not be there. */
  async function joinStandbys(socket: ClientSocket, hasGone: () => boolean): Promise<Refusal | undefined> {
    const { conn, identity } = socket;
    const { clientId, address, principal } = identity;
    const joined = await cluster.standbys.join(claimOf(socket)).catch((cause: unknown) => ({ cause }));
    if (joined === 'full') return { outcome: 'duplicate', close: 'duplicate', reason: fullReason };
    if (joined !== 'waiting')
      return { outcome: 'unavailable', close: 'temporary', isPassing: true, ...joined };
    // As for a claim: from here on nothing waits until the socket is known to those that would close it.
    const again = await tokens.recheck(principal, address);
    if ('ok' in again && !hasGone() && !deps.draining.aborted) {
      identity.principal = again.ok;
      socket.isStandby = true;
      return undefined;
    }
    cluster.standbys.leave(clientId, conn);
    if (!('ok' in again)) return refused(again);
    return hasGone() ? left() : sentOn();
  }

  /** Makes a standby the owner of its client. Resolves with the reason if it may not be, or if another is. */
  async function promote(socket: ClientSocket, way: PromotionWay): Promise<Refusal | undefined> {
    // What may not serve any more must not first end the browser that does.
    const { principal, address } = socket.identity;
    const verdict = await tokens.recheck(principal, address);
    if (!('ok' in verdict)) return refused(verdict);
    if (deps.draining.aborted) return sentOn();
    socket.identity.connectedSince = Date.now();
    arrivals.expect(socket.conn);
    try {
      const refusal = await claimClient(socket, (claim) => cluster.standbys[way](claim), {
        hasGone: () => !socket.isOpen,
        isExpected: false,
      });
      if (refusal) arrivals.settle(socket.conn);
      return refusal;
    } catch (error) {
      arrivals.settle(socket.conn);
      throw error;
    }
  }

  const claimOf = ({ conn, identity }: ClientSocket): Claim => {
    const { clientId, accountId } = identity;
    return { clientId, conn, accountId, meta: JSON.stringify(metaOf(identity, cluster.instanceId)) };
  };

  /** Makes the socket the owner of its client. Resolves with the reason if it may not be. */
  async function claimClient(
    socket: ClientSocket,
    claim: (claim: Claim) => Promise<ClaimOutcome>,
    { hasGone, isExpected }: { hasGone: () => boolean; isExpected: boolean },
  ): Promise<Refusal | undefined> {
    const { conn, identity } = socket;
    const { clientId, address, principal } = identity;
    const own = claimOf(socket);
    const claimed = await claim(own);
    if (claimed.outcome === 'duplicate') return { outcome: 'duplicate', close: 'duplicate' };
    if (claimed.outcome === 'unavailable')
      return { outcome: 'unavailable', close: 'temporary', cause: claimed.cause, isPassing: true };
    socket.epoch = claimed.epoch;
    socket.meta = own.meta;
    // A token revoked while the claim was made has no listener yet that would close this socket. From here until
    // the socket is known to `clients` nothing waits for I/O, so no event can come in between.
    const again = await tokens.recheck(principal, address);
    const isAllowed = 'ok' in again;
    // A drain lets nobody in: it may have told its sockets already, and waits for no other. This one comes back.
    const isSentOn = isAllowed && deps.draining.aborted;
    // No socket was there to be closed when the claim was lost meanwhile, and nothing would claim the client again.
    const isMine = cluster.directory.owns(clientId, conn);
    if (isAllowed && isMine && !hasGone() && !isSentOn) {
      // What the token may do can have changed meanwhile, too.
      identity.principal = again.ok;
      return undefined;
    }
    // A module that came over by a handover has left the old owner, and soon tries again.
    const mayReturn = isAllowed || again.refused === 'temporary';
    const movingMs = mayReturn && (isSentOn || isExpected) ? comesBackWithinMs : 0;
    await cluster.directory.release(clientId, conn, movingMs).catch(() => {});
    if (isSentOn) return sentOn();
    if (!isAllowed) return refused(again);
    return isMine || hasGone() ? left() : lostClaim();
  }

  return { admit: admitAtGate, promote, waiting: () => gate.waiting };
}

const fullReason = 'Five browsers of this world wait already';
const left = (principal?: TokenPrincipal): Refusal => ({ outcome: 'gone', close: 'normal', principal });
const sentOn = (): Refusal => ({ outcome: 'unavailable', close: 'goingAway' });
const lostClaim = (): Refusal => ({
  outcome: 'unavailable',
  close: 'temporary',
  cause: 'the claim was lost while the token was checked again',
  isPassing: true,
});

/** A module that has gone while it waited, or that found the line full. */
function turnedAway(admitted: ClientSocket | Refusal | TurnedAway): ClientSocket | Refusal {
  if (admitted === 'gone') return left();
  if (admitted === 'full') return { outcome: 'unavailable', close: 'temporary' };
  return admitted;
}

/** With a cause, the token could not be looked up; without one, it was, or too many unknown ones came from there. */
function refused(verdict: Exclude<TokenVerdict, { ok: unknown }>): Refusal {
  const { principal, cause, blocked } = verdict;
  if (blocked) return { outcome: blocked, close: 'temporary', principal, reason: errors[blocked].title };
  const [outcome, close] = refusals[verdict.refused];
  return { outcome, close, principal, cause, isPassing: cause !== undefined };
}

const refusals = {
  invalid: ['token_invalid', 'tokenInvalid'],
  address_not_allowed: ['address_not_allowed', 'addressNotAllowed'],
  temporary: ['unavailable', 'temporary'],
} as const satisfies Record<string, readonly [ConnectionOutcome, CloseName]>;

function identify(
  visitor: Visitor,
  principal: TokenPrincipal,
  declared: Declarations,
): ClientSocket['identity'] {
  return {
    clientId: visitor.clientId,
    accountId: principal.accountId,
    principal,
    address: visitor.address,
    ipAddress: visitor.ipAddress,
    world: visitor.world,
    declared,
    isAsPaired: mismatchOf(principal.fingerprint, { ...visitor.world, origin: visitor.origin }).length === 0,
    connectedSince: Date.now(),
  };
}
