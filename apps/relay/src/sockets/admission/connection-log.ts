import { loggedMetadata } from '@tabletop-relay/contract';
import type { ConnectionOutcome, LoggedMetadata } from '@tabletop-relay/contract';
import { addressBlock } from '@tabletop-relay/kit';
import { createWindowCounts } from '@tabletop-relay/limits';
import type { Logger } from 'pino';
import { mismatchOf } from '../../worlds/fingerprint.ts';
import type { SocketIdentity } from '../../worlds/socket-identity.ts';
import type { AccountLimits } from '../../limits/limits.ts';
import type { ConnectionRecord, Records } from '../../records/records.ts';
import type { TokenPrincipal } from '../../worlds/authenticate-token.ts';
import type { RelayMetrics } from '../../metrics.ts';
import { createAttemptCounts } from './attempt-counts.ts';
import type { CountedAttempt } from './attempt-counts.ts';
import type { Visitor } from './visitor.ts';

export interface Attempt {
  visitor: Visitor;
  outcome: ConnectionOutcome;
  closeCode: number | null;
  /** The owner of the token; absent if no token was sent or the token is unknown. */
  principal?: TokenPrincipal | undefined;
  /** The socket, if it was let in. */
  conn?: string;
  cause?: unknown;
}

/** Records every attempt to connect, accepted or refused, and the ends of those that were accepted. */
export interface ConnectionLog {
  /** Writes a row. The rows of attempts without a known token are limited per address; further attempts are counted. */
  record(attempt: Attempt): void;
  /** Counts an attempt without a row. Used for refusals that are too frequent for one. */
  count(attempt: Omit<CountedAttempt, 'userAgent' | 'clientId'> & { visitor: Visitor }): void;
  /** Writes a row for the end of a connection that was let in. */
  left(socket: Ended, outcome: 'disconnected' | 'handed_over', closeCode: number | null): void;
  /** Writes the counts at once. Used at drain. */
  flush(): void;
}

type Ended = { identity: SocketIdentity; conn: string };

export interface ConnectionLogDeps {
  /** This process. */
  boot: string;
  records: Pick<Records, 'connection'>;
  limits: Pick<AccountLimits, 'connectRecords'>;
  maxCountedPairs: number;
  metrics: RelayMetrics;
  log: Logger;
}

export function createConnectionLog(deps: ConnectionLogDeps): ConnectionLog {
  const { boot, records, limits, metrics, log } = deps;
  const rowsOf = createWindowCounts(() => performance.now());
  const counts = createAttemptCounts({
    maxPairs: deps.maxCountedPairs,
    write: (counted) => {
      log.info(counted, 'attempts to connect were counted');
      records.connection(rowOfCount(counted));
    },
  });

  /** An attempt without a known token belongs to no account, so its rows are limited by address. */
  function hasRowOfItsOwn({ visitor, principal }: Attempt): boolean {
    const { max, windowMs } = limits.connectRecords;
    return principal !== undefined || rowsOf(addressBlock(visitor.address), windowMs).count <= max;
  }

  function count({ visitor, ...attempt }: Parameters<ConnectionLog['count']>[0]): void {
    const { clientId, userAgent } = visitor;
    counts.count({ ...attempt, clientId, userAgent });
  }

  return {
    record(attempt) {
      const { visitor, outcome, closeCode } = attempt;
      metrics.connections.labels(outcome).inc();
      if (!hasRowOfItsOwn(attempt))
        return count({ visitor, outcome, closeCode, address: addressBlock(visitor.address) });
      const row = rowOf(attempt);
      log.info(
        {
          clientId: visitor.clientId,
          outcome,
          closeCode,
          mismatch: row.mismatch.join() || undefined,
          err: attempt.cause,
        },
        outcome === 'connected' ? 'module connected' : 'module refused',
      );
      records.connection({ ...row, boot });
    },
    count(attempt) {
      metrics.connections.labels(attempt.outcome).inc();
      count(attempt);
    },
    left(socket, outcome, closeCode) {
      records.connection({ ...rowOfEnd(socket, outcome, closeCode), boot });
    },
    flush: counts.flush,
  };
}

function loggedWorld(world?: LoggedMetadata): LoggedMetadata {
  return Object.fromEntries(loggedMetadata.map((name) => [name, world?.[name] ?? ''])) as LoggedMetadata;
}

function rowOf({ visitor, outcome, closeCode, principal, conn }: Attempt): ConnectionRecord {
  const { world } = visitor;
  const mismatch = principal ? mismatchOf(principal.fingerprint, { ...world, origin: visitor.origin }) : [];
  return {
    accountId: principal?.accountId ?? null,
    clientId: visitor.clientId,
    tokenId: principal?.tokenId ?? null,
    tokenName: principal?.name ?? '',
    ipAddress: visitor.ipAddress,
    userAgent: visitor.userAgent,
    ...loggedWorld(world),
    metadataMatch: principal ? mismatch.length === 0 : null,
    mismatch,
    outcome,
    closeCode,
    attempts: 1,
    conn,
  };
}

/** What the browser is and whether it is the paired one stands in the row of its connecting. */
function rowOfEnd(
  { conn, identity: { accountId, clientId, principal, ipAddress, world } }: Ended,
  outcome: ConnectionOutcome,
  closeCode: number | null,
): ConnectionRecord {
  return {
    accountId,
    clientId,
    tokenId: principal.tokenId,
    tokenName: principal.name,
    ipAddress,
    userAgent: '',
    ...loggedWorld(world),
    metadataMatch: null,
    mismatch: [],
    outcome,
    closeCode,
    attempts: 1,
    conn,
  };
}

function rowOfCount(counted: CountedAttempt & { attempts: number }): ConnectionRecord {
  return {
    accountId: null,
    clientId: counted.clientId,
    tokenId: null,
    tokenName: '',
    ipAddress: counted.address,
    userAgent: counted.userAgent,
    ...loggedWorld(),
    metadataMatch: null,
    mismatch: [],
    outcome: counted.outcome,
    closeCode: counted.closeCode,
    attempts: counted.attempts,
  };
}
