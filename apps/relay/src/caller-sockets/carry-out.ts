import { readPayload } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { checkReach, readClientId } from '../calls/choose-client.ts';
import { idempotencyKeyFault, isIdempotencyKey } from '../calls/idempotency-key.ts';
import { factsOf } from '../calls/log-calls.ts';
import type { LogCalls } from '../calls/log-calls.ts';
import type { KeyCall, MadeCall, MakeCall } from '../calls/make-call.ts';
import type { RequestBytes } from '../calls/request-bytes.ts';
import { membersWithout } from '../calls/remote/members-without.ts';
import { authorize } from '../keys/authenticate.ts';
import type { Principal } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import { refusePaused } from '../pauses/pauses.ts';
import { codeOf, invalidFields, ProblemError } from '../problem.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Admit, TellRefusal } from './admission.ts';
import { frameOf } from './caller-socket.ts';
import type { CallerSocket } from './caller-socket.ts';
import { problemOf, failureMessage } from './failures.ts';

export interface CarryOutDeps {
  admit: Admit;
  limits: Pick<CallLimits, 'spendMinute'>;
  requestBytes: Pick<RequestBytes, 'take'>;
  makeCall: MakeCall;
  logCalls: Pick<LogCalls, 'failed'>;
  tracing: Tracing | undefined;
  tellRefusal: TellRefusal;
}

/** A message that asks for an operation. */
export interface CallMessage {
  operation: Operation;
  requestId: string;
  /** The id of the message in log and traces. */
  traceId: string;
  fields: Readonly<Record<string, unknown>>;
  /** Of its text. */
  bytes: number;
}

/** Of a file that a world answers. */
export const maxFileBytes = 8 * 1_048_576;
/** So many bytes hold such a file in base64, and what stands beside it. */
const mostAnswerBytes = Math.ceil(maxFileBytes / 3) * 4 + 262_144;

/** Carries out an operation and answers, whatever comes of it. Never rejects. Resolves with whether it cost a call of the minute. */
export function createCarryOut(deps: CarryOutDeps) {
  const { admit, limits, requestBytes, makeCall, logCalls, tracing, tellRefusal } = deps;

  return async function carryOut(socket: CallerSocket, message: CallMessage): Promise<boolean> {
    const { operation, requestId, traceId, fields } = message;
    const { traceparent, idempotencyKey, ...payload } = fields;
    const startedAt = performance.now();
    const elapsedMs = () => performance.now() - startedAt;
    const hangUp = new AbortController();
    socket.calls.set(requestId, hangUp);
    const step = tracing?.begin('http', { operation: operation.name, traceparent });
    const facts = factsOf(undefined);
    const { sender, publicUrl } = socket.visitor;
    let principal = socket.admitted?.principal;
    let isPaid = false;
    let isUnchecked = false;
    let giveBack: (() => void) | undefined;
    const known = { operation, requestId: traceId, facts, sender, via: 'socket' as const, assistant: null };
    try {
      if (socket.isLeaving) throw leaving();
      isUnchecked = true;
      principal = await admit(socket);
      isUnchecked = false;
      await limits.spendMinute(principal);
      isPaid = true;
      giveBack = requestBytes.take(principal.keyId, message.bytes);
      const call: KeyCall = {
        ...known, principal, elapsedMs, step, signal: hangUp.signal,
        read: readOf(operation, payload, { idempotencyKey, fallback: socket.visitor.clientId }, principal, facts),
      }; // prettier-ignore
      await makeCall(call, (made) => answer(socket, message, made, facts));
      step?.end('ok');
    } catch (error) {
      step?.end(codeOf(error));
      const problem = problemOf(error);
      tellRefusal(socket, problem, { traceId, operation, facts, step, isUnchecked });
      const told = failureMessage(problem, { publicUrl, traceId, relayed: operation });
      logCalls.failed({ ...known, principal, tookMs: elapsedMs() }, problem, told.problem);
      const { clientId } = facts;
      const head = {
        type: `${operation.name}-result`,
        requestId,
        ...(clientId === null ? {} : { clientId }),
      };
      socket.sendAnswer([Buffer.from(JSON.stringify({ ...head, ...ignoredIn(facts), ...told }))]);
    } finally {
      giveBack?.();
      socket.calls.delete(requestId);
    }
    return isPaid;
  };
}

const leaving = () =>
  new ProblemError('unavailable', 'This instance is going away. Connect again, and repeat it there.');

/** Reads what the caller gave, in the order in which HTTP refuses it. */
function readOf(
  operation: Operation,
  payload: Readonly<Record<string, unknown>>,
  { idempotencyKey, fallback }: { idempotencyKey: unknown; fallback: string | undefined },
  principal: Principal,
  facts: KeyCall['facts'],
): KeyCall['read'] {
  return () => {
    authorize(principal, operation.scope);
    const named = readClientId({ clientId: payload['clientId'] ?? fallback }, undefined, undefined);
    Object.assign(facts, factsOf(named));
    if (named !== undefined) {
      checkReach(principal.clientIds, named);
      refusePaused(principal, named);
    }
    return {
      named,
      reading: readPayload(operation, payload),
      idempotencyKey: readKey(idempotencyKey),
    };
  };
}

function readKey(given: unknown): string | undefined {
  if (given === undefined || isIdempotencyKey(given)) return given;
  throw invalidFields([{ field: 'idempotencyKey', message: idempotencyKeyFault }]);
}

const namesIn = (listed: string): string[] => listed.split(', ').map(decodeURIComponent);

const ignoredIn = ({ ignored }: { ignored: string }) =>
  ignored === '' ? {} : { ignoredParameters: namesIn(ignored) };

/**
 * What the relay says in an answer, in place of what its world says. A world whose `error` is null or false has not failed, and programs
 * know a failure by its having one.
 */
const ownNames = ['type', 'requestId', 'clientId', 'error', 'problem'] as const;

/**
 * Answers with the members of the world's reply. They are not parsed, but it is known where the reply ends: it cannot close the frame
 * and take another request's place. Throws `client_bad_reply` where it is not one object.
 */
function answer(
  socket: CallerSocket,
  { operation, requestId }: CallMessage,
  { reply: { body, release }, isReplay }: MadeCall,
  facts: KeyCall['facts'],
): void {
  const refuse = (detail: string): never => {
    release?.();
    throw new ProblemError('client_bad_reply', detail);
  };
  if (body.length > mostAnswerBytes)
    return refuse('The answer is larger than a socket carries. It was carried out: have it over HTTP.');
  const own = {
    ...ignoredIn(facts),
    ...(isReplay ? { replayed: true } : {}),
  };
  const members = membersWithout(body, [...ownNames, ...Object.keys(own)]);
  if (!members) return refuse('The world’s answer is not one JSON object.');
  const head = { type: `${operation.name}-result`, requestId, clientId: facts.clientId, ...own };
  socket.sendAnswer(frameOf(head, members), release);
}
