import { wordsOf } from '@tabletop-relay/contract';
import type { Operation, Scope } from '@tabletop-relay/contract';
import type { FastifyRequest } from 'fastify';
import type { Sender } from '../endpoint-handler.ts';
import type { Principal } from '../keys/authenticate.ts';
import { auditOf } from '../records/sender.ts';
import type { Records } from '../records/records.ts';
import type { SocketIdentity } from '../worlds/socket-identity.ts';

/** A call that is about to be sent to its world. */
interface Use {
  operation: Operation;
  /** The scopes that it needed. */
  scopes: readonly Scope[];
  principal: Principal;
  clientId: string;
  request: FastifyRequest;
}

/** Writes the audit entry of a call whose scopes ask for one. Nothing waits for it. */
export type AuditUse = (use: Use) => void;

export function createAuditUse(
  records: Pick<Records, 'audit'>,
  senderOf: (request: FastifyRequest) => Sender,
): AuditUse {
  return ({ operation, scopes, principal, clientId, request }) => {
    const audited = scopes.filter(isAudited);
    if (audited.length === 0) return;
    records.audit({
      event: 'operation.used',
      accountId: principal.accountId,
      clientId,
      subjectId: principal.keyId,
      detail: { operation: operation.name, scopes: audited },
      ...auditOf(senderOf(request)),
    });
  };
}

/** The same for a request of one world to another. */
export function auditRemoteUse(
  records: Pick<Records, 'audit'>,
  source: SocketIdentity,
  { operation, scopes, clientId }: Pick<Use, 'operation' | 'scopes' | 'clientId'>,
): void {
  const audited = scopes.filter(isAudited);
  if (audited.length === 0) return;
  records.audit({
    event: 'operation.used_by_world',
    accountId: source.accountId,
    clientId,
    subjectId: source.principal.tokenId,
    detail: { operation: operation.name, scopes: audited, sourceClientId: source.clientId },
    ipAddress: source.ipAddress,
  });
}

const isAudited = (scope: Scope): boolean => wordsOf(scope).audited === true;
