import type { Asked } from '@tabletop-relay/cluster';
import { readParameters } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../auth/authenticate.ts';
import { authorize } from '../auth/authorize.ts';
import { readClientId } from '../clients/choose-client.ts';
import type { ChooseClient } from '../clients/choose-client.ts';
import type { CallLimits } from '../limits/call-limits.ts';
import type { RelayMetrics } from '../metrics.ts';
import type { Router } from '../router.ts';
import { operationSchema } from './operation-schema.ts';
import { invalidFields, ProblemError } from './problem.ts';

export interface OperationRoutesDeps {
  operations: readonly Operation[];
  chooseClient: ChooseClient;
  router: Router;
  limits: CallLimits;
  metrics: RelayMetrics;
}

/** One route per operation: everything about it follows from its definition. */
export function registerOperationRoutes(app: FastifyInstance, deps: OperationRoutesDeps): void {
  for (const operation of deps.operations) {
    app.route({
      method: operation.method,
      url: operation.path,
      config: { anyOrigin: true, relayed: { kind: operation.kind }, openApi: operationSchema(operation) },
      handler: relay(operation, deps),
    });
  }
}

/** Node writes headers and a text in one piece, but a Buffer apart; a large one is not worth the copy. */
const joinedBelowBytes = 16_384;

function relay(operation: Operation, { chooseClient, router, limits, metrics }: OperationRoutesDeps) {
  const answered = metrics.calls.labels(operation.name, 'ok');
  const seconds = metrics.callSeconds.labels(operation.name);

  /** Checks a call and sends it on its way. Throws the problem that stops it. */
  async function send(request: FastifyRequest, principal: Principal): Promise<Asked<Buffer>> {
    const { query, body, headers } = request;
    const named = readClientId(query, body, headers['x-client-id']);
    const reading = readParameters(operation, { query, body });
    if (!reading.ok) throw invalidFields(reading.errors);
    const chosen = chooseClient(principal, named);
    const clientId = typeof chosen === 'string' ? chosen : await chosen;
    const spent = limits.spendMonthly(principal);
    if (spent) await spent;
    return router.call({
      operation,
      accountId: principal.accountId,
      clientId,
      fieldsJson: JSON.stringify(reading.wire),
    });
  }

  return async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { principal } = request;
    authorize(principal, operation.scope);
    const startedAt = performance.now();
    limits.enter(principal);
    try {
      const asked = await send(request, principal);
      if (reply.raw.destroyed) asked.abandon();
      reply.raw.once('close', () => {
        if (!reply.raw.writableEnded) asked.abandon();
      });
      const body = await asked.reply;
      answered.inc();
      return reply
        .type('application/json; charset=utf-8')
        .send(body.length < joinedBelowBytes ? body.toString() : body);
    } catch (error) {
      metrics.calls.labels(operation.name, error instanceof ProblemError ? error.code : 'internal').inc();
      throw error;
    } finally {
      limits.leave(principal);
      seconds.observe((performance.now() - startedAt) / 1000);
    }
  };
}
