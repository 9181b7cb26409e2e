import type { Operation } from '@tabletop-relay/contract';
import type { Quotas } from '@tabletop-relay/limits';
import type { Logger } from 'pino';
import { refusesSecret } from '../../call-log/bodies/secret-calls.ts';
import { askedBy } from '../command.ts';
import type { AccountLimits } from '../../limits/limits.ts';
import type { RelayMetrics } from '../../metrics.ts';
import { refusePaused } from '../../pauses/pauses.ts';
import { asProblem, ProblemError } from '../../problem.ts';
import type { Records } from '../../records/records.ts';
import type { RunningRequest } from '../../sockets/remote/asked-elsewhere.ts';
import type { ClientSocket } from '../../sockets/client-socket.ts';
import type { ServeRemoteRequests } from '../../sockets/remote/serve-remote-requests.ts';
import type { KeyedSending } from '../../sockets/replies/sent-keys.ts';
import type { WorldReply } from '../../sockets/replies/settle-reply.ts';
import type { ConnectionTokens, TokenPrincipal } from '../../worlds/authenticate-token.ts';
import { inStep } from '../../tracing/in-step.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { auditUse } from '../log-calls.ts';
import type { Idempotency } from '../idempotency.ts';
import type { Router } from '../router.ts';
import { authorizeRequest, createReadRequest, readCommand } from './read-request.ts';
import type { RemoteRequest } from './read-request.ts';
import { sendProblem, sendReply, sourceLost } from './remote-answer.ts';
import { createRemoteRequestLog } from './remote-log.ts';
import { createSpendRequest } from './remote-rate.ts';
import type { callConstants } from '../call-settings.ts';

export interface RemoteRequestDeps {
  operations: readonly Operation[];
  router: Pick<Router, 'call'>;
  idempotency: Pick<Idempotency, 'begin'>;
  tokens: Pick<ConnectionTokens, 'recheck'>;
  quotas: Pick<Quotas, 'perWindow'>;
  limits: Pick<AccountLimits, 'remoteRequest'>;
  settings: typeof callConstants & {
    callsInFlightPerKey: number;
    maxBodyBytes: number;
  };
  records: Pick<Records, 'remoteRequest' | 'audit'>;
  metrics: Pick<RelayMetrics, 'remoteRequests'>;
  tracing: Pick<Tracing, 'begin'> | undefined;
  log: Logger;
}

export interface RemoteRequests extends ServeRemoteRequests {
  /** Writes what was counted and not recorded yet. */
  flush(): void;
}

/** A frame is parsed while all worlds wait, and nothing bounds the bytes of a module's requests in flight but their number. */
const maxParsedFrameBytes = 1_048_576;

/**
 * Serves the requests of modules to other worlds of their account, as `makeCall` does for programs. Shared with a call over HTTP are the
 * checks of scopes and parameters, the command, idempotency, and the router with all behind it. Instead of a key's limits there is
 * a rate for each connection token, no monthly limit counts, and the account reads of it in the remote-request log.
 */
export function createRemoteRequests(deps: RemoteRequestDeps): RemoteRequests {
  const { settings, metrics, log } = deps;
  const readRequest = createReadRequest(deps.operations);
  const ask = createAsk(deps);
  const requestLog = createRemoteRequestLog(deps.records);

  async function serve(socket: ClientSocket, request: RemoteRequest): Promise<void> {
    const startedAt = performance.now();
    const end = (outcome: Parameters<typeof requestLog.record>[2]['outcome'], error: string) => {
      metrics.remoteRequests.labels(outcome).inc();
      requestLog.record(socket.identity, request, { outcome, error, startedAt });
    };
    try {
      const reply = await ask(socket, request);
      sendReply(socket, request, reply, settings.callerReadTimeoutMs);
      end('ok', '');
    } catch (error) {
      const problem = asProblem(error);
      const { requestId, traceId, ignored } = request;
      if (problem.code === 'internal')
        log.error({ requestId, traceId, err: error }, 'a remote request failed');
      const operation = request.operation instanceof ProblemError ? undefined : request.operation;
      sendProblem(socket, { requestId, operation, ignored }, problem);
      const words = operation && loggedWords(operation, request.payload, problem);
      end(problem === sourceLost ? 'source_lost' : problem.code, words ?? problem.message);
    }
  }

  const maxBytes = Math.min(settings.maxBodyBytes, maxParsedFrameBytes);

  function refuseLarge(socket: ClientSocket, requestId: string): void {
    const operation = new ProblemError(
      'payload_too_large',
      `Requests to other worlds may have ${maxBytes} bytes.`,
    );
    void serve(socket, { requestId, targetClientId: '', action: '', payload: undefined, operation });
  }

  return {
    receive(socket, frame, bytes) {
      const request = readRequest(frame, socket.identity.clientId);
      if (bytes > maxBytes) refuseLarge(socket, request.requestId);
      else void serve(socket, request);
    },
    refuseLarge,
    maxBytes,
    flush: requestLog.flush,
  };
}

/** A world's words of refusal are logged where they can repeat no secret. */
function loggedWords(operation: Operation, payload: unknown, { code }: ProblemError): string | undefined {
  const isSecret = code === 'operation_failed' && refusesSecret(operation, payload as object);
  return isSecret
    ? 'The world refused the operation. Its words may hold a secret and are not kept.'
    : undefined;
}

/** Rejects with the problem to tell the module. */
type Ask = (socket: ClientSocket, request: RemoteRequest) => Promise<WorldReply>;

function createAsk(deps: RemoteRequestDeps): Ask {
  const { tokens, settings } = deps;
  const send = createSend(deps);
  const spend = createSpendRequest(deps.quotas, deps.limits.remoteRequest);

  /** Before a command is sent. The token is read as freshly as a key is at each call. */
  async function admit(socket: ClientSocket, request: RemoteRequest): Promise<TokenPrincipal> {
    const { principal, address } = socket.identity;
    await spend(principal.tokenId);
    const verdict = await tokens.recheck(principal, address);
    if ('refused' in verdict) throw tokenProblem(verdict);
    authorizeRequest(verdict.ok, request);
    return verdict.ok;
  }

  return async function ask(socket, request) {
    refuseWhenBusy(socket, settings.callsInFlightPerKey);
    const stopped = Promise.withResolvers<never>();
    const hangUp = new AbortController();
    const { signal } = hangUp;
    let isSent = false;
    let isStopped = false;
    const stop = (problem: ProblemError, { comesBack = false } = {}) => {
      isStopped = true;
      stopped.reject(problem);
      // Whoever gave an idempotency key comes back for the answer.
      if (!comesBack) hangUp.abort();
    };
    const comesBack = isKeyed(request);
    const running: RunningRequest = {
      abandon: () => stop(sourceLost, { comesBack }),
      recheck(principal) {
        const problem = problemAt(() => authorizeRequest(principal, request));
        if (problem) stop(isSent ? withdrawn(problem) : problem);
      },
    };
    const admitAndSend = async (): Promise<WorldReply> => {
      const principal = await admit(socket, request);
      const { operation } = request;
      if (isStopped || operation instanceof ProblemError) return await stopped.promise;
      const reply = await send(socket, request, operation, principal, {
        signal,
        isStopped: () => isStopped,
        onSent: () => (isSent = true),
      });
      // Nobody reads it.
      if (isStopped) reply.release?.();
      return reply;
    };
    const timer = setTimeout(() => stop(tooLate(isSent), { comesBack }), settings.remoteRequestTimeoutMs);
    socket.asked.add(running);
    try {
      return await Promise.race([stopped.promise, admitAndSend()]);
    } finally {
      clearTimeout(timer);
      socket.asked.delete(running);
    }
  };
}

const isKeyed = ({ idempotencyKey, operation }: RemoteRequest): boolean =>
  idempotencyKey !== undefined && !(operation instanceof ProblemError) && operation.kind === 'command';

interface Sending {
  signal: AbortSignal;
  /** Nobody waits any more. */
  isStopped: () => boolean;
  onSent: () => void;
}

/** Sends the command of a request that may be sent, or finds its answer by its key. */
function createSend({ router, tracing, idempotency, records }: RemoteRequestDeps) {
  return async function send(
    socket: ClientSocket,
    request: RemoteRequest,
    operation: Operation,
    principal: TokenPrincipal,
    { signal, isStopped, onSent }: Sending,
  ): Promise<WorldReply> {
    const { identity: source } = socket;
    const { targetClientId: clientId } = request;
    const { fieldsJson, needs, scopes, ignored, wire } = readCommand(operation, request, principal);
    request.ignored = ignored;
    // A replay is let through by the checks of a call.
    refusePaused(principal, clientId);
    const { traceparent, idempotencyKey: key } = request;
    const step = tracing?.begin('remote-request', { operation: operation.name, traceparent });
    request.traceId = step?.traceId;
    const call = {
      operation,
      caller: principal,
      askedBy: askedBy(principal),
      clientId,
      credential: 'token' as const,
      fieldsJson,
      needs,
      step,
      signal,
    };
    const run = async (keyed?: KeyedSending): Promise<WorldReply> => {
      if (isStopped()) throw notSentInTime();
      refusePaused(principal, clientId);
      const sent = { ...call, keyed };
      const replied = step ? inStep(step, () => router.call(sent)) : router.call(sent);
      onSent();
      auditUse(records, scopes, (audited) => ({
        event: 'operation.used_by_world',
        accountId: source.accountId,
        clientId,
        subjectId: source.principal.tokenId,
        detail: { operation: operation.name, scopes: audited, sourceClientId: source.clientId },
        ipAddress: source.ipAddress,
      }));
      return await replied;
    };
    if (key === undefined || !isKeyed(request)) return await run();
    const { accountId, tokenId: credentialId } = principal;
    const begun = await idempotency.begin({ accountId, credentialId, clientId, operation, wire, key });
    if ('replay' in begun) {
      request.isReplayed = true;
      return begun.replay;
    }
    return await begun.run(run);
  };
}

/** One socket has one token, so this is the bound of HTTP: calls in flight of a key on an instance. */
function refuseWhenBusy({ asked }: ClientSocket, maxInFlight: number): void {
  if (asked.size < maxInFlight) return;
  const detail = `This browser waits for ${maxInFlight} answers of other worlds already. Wait for one to come.`;
  throw new ProblemError('rate_limited', detail);
}

function tokenProblem(verdict: Exclude<Awaited<ReturnType<ConnectionTokens['recheck']>>, { ok: unknown }>) {
  if (verdict.blocked) return new ProblemError(verdict.blocked);
  if (verdict.refused === 'invalid') return new ProblemError('key_invalid', 'This browser was unpaired.');
  if (verdict.refused === 'address_not_allowed')
    return new ProblemError('forbidden', 'The token may not be used from this address.');
  return new ProblemError('unavailable', 'The token cannot be checked at the moment.', {
    cause: verdict.cause,
  });
}

function problemAt(check: () => void): ProblemError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return asProblem(error);
  }
}

/** The command is under way when its permission ends. The world gets `cancel`, and may have carried it out. */
function withdrawn({ message }: ProblemError): ProblemError {
  const detail = `The permission was taken away while the answer was awaited. ${message}`;
  return new ProblemError('forbidden', detail, { outcome: 'unknown' });
}

function tooLate(isSent: boolean): ProblemError {
  return isSent ? new ProblemError('client_timeout') : notSentInTime();
}

const notSentInTime = () =>
  new ProblemError('unavailable', 'The request could not be sent in time. Repeat it.');
