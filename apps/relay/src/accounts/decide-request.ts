import type { Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import type { Announce } from '../credentials/changes/credential-feed.ts';
import { statusOf } from '../credentials/request-status.ts';
import type { Sender, SessionPrincipal } from '../endpoint-handler.ts';
import { ProblemError } from '../problem.ts';
import type { AuditRecord } from '../records/audit-record.ts';
import type { Records } from '../records/records.ts';
import { auditOf } from '../records/sender.ts';
import { withAccountLocked } from './account-lock.ts';
import type { LockDeps } from './account-lock.ts';

export interface DecideDeps extends LockDeps {
  records: Pick<Records, 'auditIn'>;
  now(): number;
}

/** A request that anybody may send, and that a signed-in person decides. */
interface Pending {
  id: string;
  status: string;
  expiresAt: Date;
}

type DecisionEvent = `${'assistant' | 'key_request' | 'pair_request'}.${'approved' | 'denied'}`;
type DecisionRecord = Extract<AuditRecord, { event: DecisionEvent }>;

interface Steps<Request, Decision> {
  /** Reads the request and locks it until the transaction ends; throws `not_found`. */
  lock(trx: Transaction<Tables>): Promise<Request>;
  decide(trx: Transaction<Tables>, request: Request, announce: Announce): Promise<Decision>;
  store(trx: Transaction<Tables>, decision: Decision): Promise<unknown>;
  record(request: Request, decision: Decision): DecisionRecord;
}

/**
 * Decides a pending request. It is locked while this runs, so it is decided only once, and the decision commits with its audit
 * record. Throws `code_expired` and `code_used`.
 */
export async function decideRequest<Request extends Pending, Decision>(
  deps: DecideDeps,
  { session, sender }: { session: SessionPrincipal; sender: Sender },
  { lock, decide, store, record }: Steps<Request, Decision>,
): Promise<void> {
  await withAccountLocked(deps, session, async (trx, announce) => {
    const request = await lock(trx);
    const status = statusOf(request, deps.now());
    if (status === 'expired') throw new ProblemError('code_expired');
    if (status !== 'pending') throw new ProblemError('code_used', 'This request was decided already.');
    const decision = await decide(trx, request, announce);
    await store(trx, decision);
    await deps.records.auditIn(trx, {
      ...record(request, decision),
      accountId: session.accountId,
      actor: 'session',
      subjectId: request.id,
      ...auditOf(sender),
    });
  });
}
