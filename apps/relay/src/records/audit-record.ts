import { auditEventOf } from '@tabletop-relay/contract';
import type { DeclaredAuditRecord } from '@tabletop-relay/contract';
import type { Sender } from '../endpoint-handler.ts';

/** The account, world and credential that an entry of the audit log is about, and the request's sender. */
interface AuditContext extends Partial<Sender> {
  accountId?: string | null;
  clientId?: string | null;
  /** Names what the event's declaration calls its subject. */
  subjectId?: string | null;
}

/** An entry of the audit log: an event that the contract declares, with the actor and the detail that it asks for. */
export type AuditRecord = DeclaredAuditRecord & AuditContext;

/** The columns of an entry. Outcome and actor are the declared ones where the record does not choose. */
export function auditRow({ event, actor, detail, ...context }: AuditRecord) {
  const declared = auditEventOf(event);
  if (!declared) throw new Error(`no audit event is declared by the name ${event}`);
  return {
    accountId: null,
    clientId: null,
    subjectId: null,
    ipAddress: '',
    userAgent: '',
    ...context,
    event,
    outcome: declared.outcome ?? 'ok',
    actor: actor ?? declared.actors[0],
    detail: detail ?? {},
  };
}
