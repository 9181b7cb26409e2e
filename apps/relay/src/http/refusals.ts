import { BusFailure } from '@tabletop-relay/cluster';
import { commonReasons, operations } from '@tabletop-relay/contract';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { reasonOf } from '@tabletop-relay/process';
import type { RelayMetrics } from '../metrics.ts';
import type { ProblemError, RefusedCaller } from '../problem.ts';
import { callerRequestId } from './heads.ts';

/** What a refusal was of; a closed set, for it labels a metric. */
type RouteKind = 'operation' | 'account' | 'service' | 'none';

/**
 * Tells of each request that fails: a line that says who asked, from where, and a count by code and kind of route that
 * an alarm can watch. With both, who guesses is found.
 */
export type TellFailure = (problem: ProblemError, request: FailedRequest) => void;

/** What is told of a request that failed, or of a message on a socket. */
export type FailedRequest = Pick<
  FastifyRequest,
  'id' | 'ip' | 'method' | 'headers' | 'is404' | 'call' | 'step' | 'log'
> &
  Asked & { routeOptions: { url?: string | undefined; config?: Pick<FastifyContextConfig, 'relayed'> } };

export interface TellFailureDeps {
  metrics: Pick<RelayMetrics, 'requestsRefused' | 'calls'>;
  /** The name of an instance by its boot. */
  nameOf: (boot: string) => string;
}

export function createTellFailure({
  metrics: { requestsRefused, calls },
  nameOf,
}: TellFailureDeps): TellFailure {
  /** A call whose key could not be checked is a failure of ours, and nothing after the check counts it. */
  function countUnchecked({ code, status }: ProblemError, request: FailedRequest): void {
    const relayed = request.routeOptions.config?.relayed;
    const isChecked = request.principal !== undefined && request.principal !== null;
    if (relayed && status >= 500 && !isChecked) calls.labels(relayed.name, code).inc();
  }

  return function tellFailure(problem, request) {
    const { url } = request.routeOptions;
    requestsRefused.labels(problem.code, kindOf(request, url)).inc();
    countUnchecked(problem, request);
    const callerId = callerRequestId(request);
    const clientId = request.call?.clientId;
    const owner = problem.cause instanceof BusFailure ? problem.cause.owner : undefined;
    const line = {
      requestId: request.id,
      ...(callerId !== undefined && { callerRequestId: callerId }),
      ...(clientId && { clientId }),
      ...(owner !== undefined && { owner: nameOf(owner) }),
      ...(request.step && { traceId: request.step.traceId }),
      code: problem.code,
      status: problem.status,
      route: url,
      method: request.method,
      address: request.ip,
      ...callerOf(problem, request),
    };
    if (problem.code === 'internal') request.log.error({ ...line, err: problem.cause }, 'request failed');
    // A refusal is foreseen, so its line says the reason without a stack.
    else request.log.info({ ...line, reason: reasonIn(problem) }, 'request refused');
  };
}

/** Any other code, as any text, is the world’s own and may hold a secret. */
const knownReasons: ReadonlySet<string> = new Set([
  ...Object.keys(commonReasons),
  ...operations.flatMap(({ reasons }) => reasons ?? []),
]);

/** The cause; else the code of the world's refusal, where it is one of the contract’s; else, where it is no fault of the caller, our words. */
function reasonIn({ cause, code, status, message, fields }: ProblemError): string | undefined {
  if (cause) return reasonOf(cause);
  if (code === 'operation_failed') return knownReasons.has(fields.reason ?? '') ? fields.reason : undefined;
  return status >= 500 ? message : undefined;
}

function kindOf(request: FailedRequest, url: string | undefined): RouteKind {
  if (request.is404 || url === undefined) return 'none';
  if (request.routeOptions.config?.relayed || url === '/clients') return 'operation';
  return /^\/(?:auth|admin|api\/self-unpair)\b/.test(url) ? 'account' : 'service';
}

/** Undefined on routes that take no such credential, and until it was checked. */
type Asked = Partial<Pick<FastifyRequest, 'principal' | 'session'>>;

function callerOf(problem: ProblemError, request: FailedRequest): Partial<RefusedCaller> {
  const { principal, session } = request;
  const known = problem.caller ?? principal;
  if (known) return { accountId: known.accountId, ...(known.keyId !== undefined && { keyId: known.keyId }) };
  return session ? { accountId: session.accountId } : {};
}
