import type { Asked } from '@tabletop-relay/cluster';
import { commandFields, pathParameters, readParameters } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingHookHandler,
  RouteOptions,
} from 'fastify';
import type { OutgoingHttpHeaders } from 'node:http';
import { authorize } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import type { RelayMetrics } from '../metrics.ts';
import type { LogCalls } from './log-calls.ts';
import { readClientId } from './router.ts';
import type { ChooseClient, Router } from './router.ts';
import { prefersJson } from '../calls/prefers-json.ts';
import { acceptRawBodies, readSources } from './files/raw-body.ts';
import { readResultFile, sendFile } from './files/result-file.ts';
import type { AuditUse } from './audit-use.ts';
import { watchCaller } from './watch-caller.ts';
import type { HoldRequestBytes } from './request-bytes.ts';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';
import { operationSchema } from './operation-schema.ts';
import { codeOf, invalidFields } from '../problem.ts';

export interface OperationRoutesDeps {
  operations: readonly Operation[];
  chooseClient: ChooseClient;
  router: Router;
  limits: CallLimits;
  metrics: RelayMetrics;
  holdRequestBytes: HoldRequestBytes;
  callerReadMs: number;
  auditUse: AuditUse;
  logCalls: Pick<LogCalls, 'answered'>;
}

/**
 * A world's answer is compressed from this size on. Compressing takes half as long as all else that a small call does
 * (docs/performance.md), and every SDK accepts it, so it would cost instances a third of their calls.
 */
const compressCallBytes = 16_384;

/** Adds one route per operation. The operation's definition has everything that the route needs. */
export function registerOperationRoutes(app: FastifyInstance, deps: OperationRoutesDeps): void {
  app.decorateRequest('call', null);
  for (const operation of deps.operations) {
    const { method, path, bodyBytes, maxBodyBytes } = operation;
    const route: RouteOptions = {
      method,
      url: path,
      config: {
        anyOrigin: true,
        relayed: operation,
        openApi: operationSchema(operation),
        compressFrom: compressCallBytes,
        secretAnswer: operation.secretAnswer === true,
      },
      handler: relay(operation, deps),
      ...(method === 'GET' ? {} : { preParsing: holdBody(deps) }),
      ...(maxBodyBytes === undefined ? {} : { bodyLimit: maxBodyBytes }),
    };
    if (bodyBytes) {
      // Fastify sets body parsers per scope, so a route with raw bodies gets a scope of its own.
      void app.register((scope, _options, done) => {
        acceptRawBodies(scope, bodyBytes);
        scope.route(route);
        done();
      });
    } else app.route(route);
  }
}

/** Counts a large body before it is read. */
function holdBody({ holdRequestBytes }: OperationRoutesDeps): preParsingHookHandler {
  return (request, reply, payload, done) => {
    holdRequestBytes(request, reply);
    done(null, payload);
  };
}

/** No world has a longer id. */
const maxLoggedId = 128;

function relay(operation: Operation, deps: OperationRoutesDeps) {
  const { chooseClient, router, limits, metrics, auditUse } = deps;
  const answered = metrics.calls.tally({ operation: operation.name, outcome: 'ok' });
  const seconds = metrics.callSeconds.tally({ operation: operation.name });
  const { monthly } = limits;
  const hasPath = pathParameters(operation).length > 0;

  /** Checks a call, sends it and waits for the world's answer. Throws the problem to answer if it fails. */
  async function ask(request: FastifyRequest, reply: FastifyReply): Promise<WorldReply> {
    const { principal, params: path, headers, step } = request;
    const { query, body } = readSources(request, operation.bodyBytes);
    const named = readClientId(query, body, headers['x-client-id']);
    const reading = readParameters(operation, { ...(hasPath ? { path } : {}), query, body });
    if (!reading.ok) throw invalidFields(reading.errors);
    const { wire } = reading;
    request.call = { clientId: named?.slice(0, maxLoggedId) ?? null, wire };
    const scopes = [operation.scope, ...(operation.scopesFor?.(wire) ?? [])];
    for (const scope of scopes) authorize(principal, scope);
    const fieldsJson = JSON.stringify(commandFields(operation, wire, principal));
    const chosen = chooseClient(principal, named);
    const clientId = typeof chosen === 'string' ? chosen : await chosen;
    request.call.clientId = clientId.slice(0, maxLoggedId);
    const spent = monthly.spend(principal);
    const spentAt = typeof spent === 'number' ? spent : await spent;
    try {
      auditUse({ operation, scopes, principal, clientId, request });
      const { accountId } = principal;
      const asked = router.call({ operation, accountId, clientId, fieldsJson, step });
      abandonWithoutCaller(asked, reply);
      const answer = await asked.reply;
      monthly.count(principal, spentAt);
      return answer;
    } catch (error) {
      // Whether the world exists is known only after routing, so refund.
      if (codeOf(error) === 'client_not_found') monthly.refund(principal, spentAt);
      else monthly.count(principal, spentAt);
      throw error;
    }
  }

  return async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { principal } = request;
    authorize(principal, operation.scope);
    const startedAt = performance.now();
    limits.enter(principal);
    try {
      const answer = await ask(request, reply);
      watchCaller(reply, answer, deps.callerReadMs);
      const { resultBytes } = operation;
      const answersFile = resultBytes && !prefersJson(request.headers.accept);
      const file = answersFile && readResultFile(operation, resultBytes, answer.body);
      answered.count += 1;
      deps.logCalls.answered(operation, request, reply, answer);
      if (file) return sendFile(reply, file);
      return sendJson(reply, answer.body, operation);
    } catch (error) {
      metrics.calls.labels(operation.name, codeOf(error)).inc();
      throw error;
    } finally {
      limits.leave(principal);
      seconds.observe((performance.now() - startedAt) / 1000);
    }
  };
}

function sendJson(reply: FastifyReply, body: Buffer, { secretAnswer }: Operation): FastifyReply {
  reply.type('application/json; charset=utf-8');
  if (body.length >= compressCallBytes || secretAnswer) return reply.send(body);
  // No hook has anything left to do. Node writes headers and a string in one piece, but a Buffer separately; as Latin-1 its
  // bytes are neither decoded nor encoded again.
  reply.hijack().header('content-length', body.length);
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  reply.raw.end(body.toString('latin1'), 'latin1');
  return reply;
}

/** Abandons the call when the caller disconnects, because nobody waits for its answer then. */
function abandonWithoutCaller(asked: Asked<WorldReply>, reply: FastifyReply): void {
  if (reply.raw.destroyed) asked.abandon();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) asked.abandon();
  });
}
