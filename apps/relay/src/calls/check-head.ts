import type { Directory } from '@tabletop-relay/cluster';
import type { Operation } from '@tabletop-relay/contract';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { authorize } from '../keys/authenticate.ts';
import { refusePaused } from '../pauses/pauses.ts';
import type { RelayMetrics } from '../metrics.ts';
import { codeOf, invalidFields } from '../problem.ts';
import type { ProblemError } from '../problem.ts';
import { announcesBody } from './bodies/announced-body.ts';
import { factsOf } from './log-calls.ts';
import { announcesLargeBody } from './request-bytes.ts';
import { checkReach, readClientId } from './router.ts';

export interface CheckHeadDeps {
  directory: Pick<Directory, 'find'>;
  /** Tells an unknown client from one that is offline. */
  explainAbsence(accountId: string, clientId: string): Promise<ProblemError>;
  metrics: Pick<RelayMetrics, 'calls'>;
}

/** Makes the check of an operation's calls that runs before their bodies are read. */
export type CheckHead = (operation: Operation) => onRequestHookHandler;

/**
 * Refuses by a call's head what its key may not do: the scope, and the world where query or header name one. So nobody
 * makes the relay read and parse a body for a call that cannot be made. Whether the account has the world is asked for large
 * bodies alone, because it takes a look at Redis; that a world is offline is found by the router.
 */
export function createCheckHead({ directory, explainAbsence, metrics }: CheckHeadDeps): CheckHead {
  async function checkWorld(accountId: string, clientId: string): Promise<void> {
    // Without Redis the call itself tells what can be known.
    const found = await directory.find([clientId]).catch(() => undefined);
    if (!found || found.get(clientId)?.accountId === accountId) return;
    const problem = await explainAbsence(accountId, clientId);
    if (problem.code === 'client_not_found') throw problem;
  }

  /** The world that is still to be looked for, or undefined where the head tells all. */
  function check({ scope }: Operation, request: FastifyRequest): string | undefined {
    const { principal, method, query, headers } = request;
    authorize(principal, scope);
    if (method === 'HEAD' && announcesBody(headers))
      throw invalidFields([{ field: 'body', message: 'is not taken with HEAD: send a GET' }]);
    const named = readClientId(query, undefined, headers['x-client-id']);
    request.call = factsOf(named);
    if (named === undefined) return undefined;
    checkReach(principal.clientIds, named);
    refusePaused(principal, named);
    return announcesLargeBody(request) ? named : undefined;
  }

  return (operation) =>
    function checkHead(request, _reply, done) {
      const refuse = (error: Error) => {
        metrics.calls.labels(operation.name, codeOf(error)).inc();
        done(error);
      };
      let named: string | undefined;
      try {
        named = check(operation, request);
      } catch (error) {
        return refuse(error as Error);
      }
      if (named === undefined) return done();
      checkWorld(request.principal.accountId, named).then(() => done(), refuse);
    };
}
