import { scopeNames, wordsOf } from '@tabletop-relay/contract';
import type { Operation, Problem, Scope } from '@tabletop-relay/contract';
import { storable } from '@tabletop-relay/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallLog } from '../call-log/call-log.ts';
import { keepAnswered, keepFailed } from '../call-log/bodies/kept-body.ts';
import type { Via } from '../call-log/call-row.ts';
import type { Sender } from '../endpoint-handler.ts';
import type { Principal } from '../keys/authenticate.ts';
import type { KeyUse } from '../keys/key-use.ts';
import type { ProblemError } from '../problem.ts';
import type { AuditRecord } from '../records/audit-record.ts';
import type { Records } from '../records/records.ts';
import { senderOf } from '../records/sender.ts';
import { replayedHeader } from './idempotency-key.ts';
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

/** A call as its log tells of it, whatever way it came. */
export interface LoggedCall {
  operation: Operation;
  /** Undefined where its key was not accepted. */
  principal: Principal | undefined;
  facts: CallFacts | null;
  via: Via;
  assistant: string | null;
  requestId: string;
  sender: Sender;
  /** How long it has been under way, in milliseconds. */
  tookMs: number;
}

/** Writes relayed calls to the call log of their account. Calls whose key is nobody's belong to no account and are left out. */
export interface LogCalls {
  answered(call: LoggedCall & { principal: Principal; isReplay: boolean }, answer: WorldReply): void;
  /** `document` is what the caller was answered. */
  failed(call: LoggedCall, problem: ProblemError, document: Problem): void;
}

export interface LogCallsDeps {
  callLog: Pick<CallLog, 'record' | 'keepsBodies'>;
  /** Told of each call that does not count. */
  keyUse: Pick<KeyUse, 'refuse'>;
}

export function createLogCalls({ callLog, keyUse }: LogCallsDeps): LogCalls {
  return {
    answered(call, { body, worldMs = null }) {
      const { operation, facts, principal, isReplay } = call;
      const { accountId, keyId, keyName, oldValueEndsAtMs } = principal;
      callLog.record({
        ...rowOf(call),
        accountId,
        keyId,
        keyName,
        outcome: 'ok',
        status: 200,
        worldMs,
        clientId: facts?.clientId ?? null,
        oldValue: oldValueEndsAtMs !== null,
        replayed: isReplay,
        body: callLog.keepsBodies(accountId) ? keepAnswered(operation, facts?.wire, body) : undefined,
      });
    },

    failed(call, problem, document) {
      const { operation, principal, facts } = call;
      const caller = problem.caller ?? principal;
      if (caller?.keyId === undefined) return;
      const { accountId, keyId, keyName = '' } = caller;
      if (!facts?.isCounted) keyUse.refuse({ accountId, keyId });
      const named = facts?.clientId ?? null;
      callLog.record({
        ...rowOf(call),
        accountId,
        keyId,
        keyName,
        outcome: problem.code,
        status: problem.status,
        worldMs: problem.worldMs ?? null,
        // Any text, where no world was found by it: one that Postgres does not take would hold up the whole batch.
        clientId: named && storable(named),
        oldValue: problem.caller?.isOldValue ?? (principal?.oldValueEndsAtMs ?? null) !== null,
        replayed: replayedHeader in problem.headers,
        body: callLog.keepsBodies(accountId) ? keepFailed(operation, facts?.wire, document) : undefined,
      });
    },
  };
}

/** What stands in the row of a call however it ended. A program may call itself what it likes, at a length of its own. */
const rowOf = (call: LoggedCall) => {
  const { operation, requestId, facts, tookMs, via, assistant } = call;
  const { ipAddress, userAgent } = call.sender;
  return {
    operation: operation.name,
    via,
    assistant,
    requestId,
    tookMs,
    ipAddress,
    userAgent: userAgent.slice(0, maxUserAgent),
    ignoredParameters: facts?.ignored ?? '',
  };
};

/** A call that came over HTTP. */
export function loggedCall(operation: Operation, request: FastifyRequest, reply: FastifyReply): LoggedCall {
  const { id: requestId, principal, call: facts } = request as FastifyRequest & { principal?: Principal };
  const sender = senderOf(request);
  const tookMs = reply.elapsedTime;
  return { operation, principal, facts, requestId, sender, tookMs, via: 'http', assistant: null };
}

const auditedScopes = new Set(scopeNames.filter((scope) => wordsOf(scope).audited));

/** Writes the audit entry of a call whose scopes ask for one; it names those. Nothing waits for it. */
export function auditUse(
  records: Pick<Records, 'audit'>,
  scopes: readonly Scope[],
  entryOf: (audited: Scope[]) => AuditRecord,
): void {
  const audited = scopes.filter((scope) => auditedScopes.has(scope));
  if (audited.length > 0) records.audit(entryOf(audited));
}

/** Names the parameters that stood for nothing in a call. */
export const ignoredHeader = 'x-ignored-parameters';

const maxNames = 20;
const maxBytes = 512;

/** The names as the header has them, percent-encoded, as many as fit; empty where there are none. */
export function ignoredNames(names: readonly string[]): string {
  let value = '';
  for (const name of names.slice(0, maxNames)) {
    const longer = value + (value && ', ') + encodeURIComponent(name.slice(0, maxBytes).toWellFormed());
    if (longer.length > maxBytes) break;
    value = longer;
  }
  return value;
}

/** The header; none where there are no names. */
export function ignoredParameters(names: readonly string[]): Record<string, string> {
  const value = ignoredNames(names);
  return value === '' ? {} : { [ignoredHeader]: value };
}
