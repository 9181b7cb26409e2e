import { storable } from '@tabletop-relay/database';
import type { Operation, Problem } from '@tabletop-relay/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallLog } from '../call-log/call-log.ts';
import { keepAnswered, keepFailed } from '../call-log/bodies/kept-body.ts';
import type { Principal } from '../keys/authenticate.ts';
import type { ProblemError } from '../problem.ts';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';

/** What is known of a call on its way, for the log. Null until its head was checked. */
export interface CallFacts {
  clientId: string | null;
  /** The parameters by their names on the wire; undefined until they were read. */
  wire: object | undefined;
}

/** No world has a longer id. */
const maxLoggedId = 128;

/** What is known of a call before its parameters were read. */
export const factsOf = (clientId: string | undefined): CallFacts => ({
  clientId: clientId?.slice(0, maxLoggedId) ?? null,
  wire: undefined,
});

/** Writes relayed calls to the call log of their account. Calls whose key is nobody's belong to no account and are left out. */
export interface LogCalls {
  answered(operation: Operation, request: FastifyRequest, reply: FastifyReply, answer: WorldReply): void;
  /** `operation` is undefined where the request was for none. */
  failed(failure: FailedCall): void;
}

interface FailedCall {
  operation: Operation | undefined;
  request: FastifyRequest;
  reply: FastifyReply;
  problem: ProblemError;
  /** What the caller was answered. */
  document: Problem;
}

export function createLogCalls(callLog: Pick<CallLog, 'record' | 'keepsBodies'>): LogCalls {
  return {
    answered(operation, request, reply, { body, worldMs = null }) {
      const { accountId, keyId, keyName } = request.principal;
      callLog.record({
        accountId,
        keyId,
        keyName,
        operation: operation.name,
        outcome: 'ok',
        status: 200,
        worldMs,
        clientId: request.call?.clientId ?? null,
        tookMs: reply.elapsedTime,
        requestId: request.id,
        body: callLog.keepsBodies(accountId) ? keepAnswered(operation, request.call?.wire, body) : undefined,
      });
    },

    failed({ operation, request, reply, problem, document }) {
      const caller = problem.caller ?? (request as { principal?: Principal }).principal;
      if (!operation || caller?.keyId === undefined) return;
      const { accountId, keyId, keyName = '' } = caller;
      const named = request.call?.clientId ?? null;
      callLog.record({
        accountId,
        keyId,
        keyName,
        operation: operation.name,
        outcome: problem.code,
        status: problem.status,
        worldMs: problem.worldMs ?? null,
        // Any text, where no world was found by it: one that Postgres does not take would hold up the whole batch.
        clientId: named && storable(named),
        tookMs: reply.elapsedTime,
        requestId: request.id,
        body: callLog.keepsBodies(accountId)
          ? keepFailed(operation, request.call?.wire, document)
          : undefined,
      });
    },
  };
}
