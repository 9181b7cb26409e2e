import { storable } from '@tabletop-relay/database';
import type { Operation, Problem } from '@tabletop-relay/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallLog } from '../call-log/call-log.ts';
import { keepAnswered, keepFailed } from '../call-log/bodies/kept-body.ts';
import type { Sender } from '../endpoint-handler.ts';
import type { Principal } from '../keys/authenticate.ts';
import type { KeyUse } from '../keys/key-use.ts';
import type { ProblemError } from '../problem.ts';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';

/** What is known of a call on its way, for the log. Null until its head was checked. */
export interface CallFacts {
  clientId: string | null;
  /** The parameters by their names on the wire; undefined until they were read. */
  wire: object | undefined;
  /** Whether it counts against the monthly limit of its key. */
  isCounted: boolean;
  /** The parameters that it was made without, as its answer names them. */
  ignored: string;
}

/** No world has a longer id. */
const maxLoggedId = 128;

const maxUserAgent = 200;

/** What is known of a call before its parameters were read. */
export const factsOf = (clientId: string | undefined): CallFacts => ({
  clientId: clientId?.slice(0, maxLoggedId) ?? null,
  wire: undefined,
  isCounted: false,
  ignored: '',
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

export interface LogCallsDeps {
  callLog: Pick<CallLog, 'record' | 'keepsBodies'>;
  /** Told of each call that does not count. */
  keyUse: Pick<KeyUse, 'refuse'>;
  senderOf(request: FastifyRequest): Sender;
}

export function createLogCalls({ callLog, keyUse, senderOf }: LogCallsDeps): LogCalls {
  /** A program may call itself what it likes, at a length of its own. */
  const callerOf = (request: FastifyRequest) => {
    const { ipAddress, userAgent } = senderOf(request);
    return { ipAddress, userAgent: userAgent.slice(0, maxUserAgent) };
  };

  return {
    answered(operation, request, reply, { body, worldMs = null }) {
      const { accountId, keyId, keyName, oldValueEndsAtMs } = request.principal;
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
        ...callerOf(request),
        oldValue: oldValueEndsAtMs !== null,
        ignoredParameters: request.call?.ignored ?? '',
        body: callLog.keepsBodies(accountId) ? keepAnswered(operation, request.call?.wire, body) : undefined,
      });
    },

    failed({ operation, request, reply, problem, document }) {
      const { principal } = request as { principal?: Principal };
      const caller = problem.caller ?? principal;
      if (!operation || caller?.keyId === undefined) return;
      const { accountId, keyId, keyName = '' } = caller;
      if (!request.call?.isCounted) keyUse.refuse({ accountId, keyId });
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
        ...callerOf(request),
        oldValue: problem.caller?.isOldValue ?? (principal?.oldValueEndsAtMs ?? null) !== null,
        ignoredParameters: request.call?.ignored ?? '',
        body: callLog.keepsBodies(accountId)
          ? keepFailed(operation, request.call?.wire, document)
          : undefined,
      });
    },
  };
}
