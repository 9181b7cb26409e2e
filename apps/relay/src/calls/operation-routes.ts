import type { Asked } from '@tabletop-relay/cluster';
import { readParameters } from '@tabletop-relay/contract';
import type { Operation, Scope } from '@tabletop-relay/contract';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingHookHandler,
  RouteOptions,
} from 'fastify';
import { authorize } from '../keys/authenticate.ts';
import type { KeysByHash, Principal } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import type { RelayMetrics } from '../metrics.ts';
import { commandOf } from './acting-user.ts';
import type { CallOfUser, Command } from './acting-user.ts';
import { ignoredHeader, ignoredNames } from './ignored-parameters.ts';
import type { Attempt, Idempotency } from './idempotency.ts';
import { readIdempotencyKey, replayedHeader } from './idempotency-key.ts';
import { factsOf } from './log-calls.ts';
import type { CallFacts, LogCalls } from './log-calls.ts';
import { askedBy } from './tell-caller.ts';
import { refusePaused } from '../pauses/pauses.ts';
import { checkReach, readClientId } from './router.ts';
import type { ChooseClient, Router } from './router.ts';
import { asksForFile } from './prefers-json.ts';
import { acceptRawBodies, readSources } from './files/raw-body.ts';
import { readResultFile, sendFile } from './files/result-file.ts';
import type { AuditUse } from './audit-use.ts';
import { readGetBodies } from './bodies/get-body.ts';
import type { CheckHead } from './check-head.ts';
import { watchCaller } from './watch-caller.ts';
import type { HoldRequestBytes } from './request-bytes.ts';
import type { KeyedSending } from '../sockets/replies/sent-keys.ts';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';
import { operationSchema } from './operation-schema.ts';
import { codeOf, invalidFields } from '../problem.ts';

export interface OperationRoutesDeps {
  operations: readonly Operation[];
  chooseClient: ChooseClient;
  router: Router;
  keys: Pick<KeysByHash, 'renew'>;
  limits: CallLimits;
  metrics: RelayMetrics;
  checkHead: CheckHead;
  holdRequestBytes: HoldRequestBytes;
  callerReadMs: number;
  auditUse: AuditUse;
  logCalls: Pick<LogCalls, 'answered'>;
  idempotency: Idempotency;
}

/**
 * A world's answer is compressed from this size on. Compressing takes half as long as all else that a small call does
 * (docs/performance.md), and every SDK accepts it, so it would cost instances a third of their calls.
 */
const compressCallBytes = 16_384;

/** Adds one route per operation. The operation's definition has everything that the route needs. */
export function registerOperationRoutes(app: FastifyInstance, deps: OperationRoutesDeps): void {
  app.decorateRequest('call', null);
  const readGetBody = readGetBodies(app);
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
      onRequest: deps.checkHead(operation),
      handler: relay(operation, deps),
      preParsing: holdBody(deps),
      ...(method === 'GET' ? { preValidation: readGetBody } : {}),
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
    holdRequestBytes(request, reply, payload);
    done(null, payload);
  };
}

function relay(operation: Operation, deps: OperationRoutesDeps) {
  const { chooseClient, router, keys, limits, metrics, auditUse } = deps;
  const begin = createBegin(operation, deps);
  const answered = metrics.calls.tally({ operation: operation.name, outcome: 'ok' });
  const seconds = metrics.callSeconds.tally({ operation: operation.name });
  const { monthly } = limits;

  async function send(
    call: CheckedCall,
    clientId: string,
    checked: Command,
    reply: FastifyReply,
    keyed: KeyedSending | undefined,
  ): Promise<WorldReply> {
    const { request } = reply;
    const { principal, step } = request;
    const { scopes } = call;
    const renewed = keys.renew(principal);
    const caller = renewed instanceof Promise ? await renewed : renewed;
    // Its key may have changed while the body came.
    const isChanged = caller !== principal;
    if (isChanged) recheck(caller, scopes, clientId);
    const { fieldsJson, needs } = isChanged ? commandOf(operation, call, caller, clientId) : checked;
    const asking = { operation, caller, askedBy: askedBy(caller), clientId };
    const asked = router.call({ ...asking, fieldsJson, needs, keyed, step });
    auditUse({ operation, scopes, principal: caller, clientId, request });
    // Whoever gave it a key comes back for its answer.
    if (!keyed) abandonWithoutCaller(asked, reply);
    return await asked.reply;
  }

  function answer(reply: FastifyReply, call: CheckedCall, ofWorld: WorldReply): FastifyReply {
    const { request } = reply;
    watchCaller(reply, ofWorld, deps.callerReadMs);
    const { resultBytes } = operation;
    const file = resultBytes && call.asksForFile && readResultFile(operation, resultBytes, ofWorld.body);
    answered.count += 1;
    deps.logCalls.answered(operation, request, reply, ofWorld);
    return file ? sendFile(reply, file) : reply.type(json).send(ofWorld.body);
  }

  return async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { principal } = request;
    const startedAt = performance.now();
    const leave = limits.enter(principal);
    let spentAt: number | undefined;
    let settle = monthly.count;
    try {
      const call = checkCall(operation, request);
      // Failures of the command name them as well.
      if (call.facts.ignored !== '') void reply.header(ignoredHeader, call.facts.ignored);
      const chosen = chooseClient(principal, call.named);
      const clientId = typeof chosen === 'string' ? chosen : await chosen;
      call.facts.clientId = factsOf(clientId).clientId;
      const command = commandOf(operation, call, principal, clientId);
      const begun = await begin(call, clientId, request);
      if (begun && 'replay' in begun) return answer(reply.header(replayedHeader, 'true'), call, begun.replay);
      const runOnce = begun?.run;
      const run = async (keyed?: KeyedSending): Promise<WorldReply> => {
        const spent = monthly.spend(principal);
        spentAt = typeof spent === 'number' ? spent : await spent;
        call.facts.isCounted = true;
        return await send(call, clientId, command, reply, keyed);
      };
      return answer(reply, call, await (runOnce ? runOnce(run) : run()));
    } catch (error) {
      const code = codeOf(error);
      // Known only after routing: whether the world exists, what its module does. And a pause may come meanwhile.
      if (code === 'client_not_found' || code === 'acting_user_unchecked' || code === 'paused') {
        settle = monthly.refund;
        if (request.call) request.call.isCounted = false;
      }
      metrics.calls.labels(operation.name, code).inc();
      throw error;
    } finally {
      if (spentAt !== undefined) settle(principal, spentAt);
      leave();
      seconds.observe((performance.now() - startedAt) / 1000);
    }
  };
}

/** Looks what became of a command with its caller's key. Undefined for any other call. */
function createBegin(operation: Operation, { keys, idempotency }: OperationRoutesDeps) {
  return async function begin(
    { scopes, wire }: CheckedCall,
    clientId: string,
    { principal, headers }: FastifyRequest,
  ): Promise<Attempt | undefined> {
    const key = operation.kind === 'command' ? readIdempotencyKey(headers) : undefined;
    if (key === undefined) return undefined;
    // A replay is let through by the checks of a call.
    const caller = await keys.renew(principal);
    recheck(caller, scopes, clientId);
    refusePaused(caller, clientId);
    const { accountId, keyId: credentialId } = caller;
    return await idempotency.begin({ accountId, credentialId, clientId, operation, wire, key });
  };
}

function recheck(caller: Principal, scopes: readonly Scope[], clientId: string): void {
  for (const scope of scopes) authorize(caller, scope);
  checkReach(caller.clientIds, clientId);
}

/** A call that its key may make, whatever its world. */
interface CheckedCall extends CallOfUser {
  facts: CallFacts;
  /** The world that the caller named. */
  named: string | undefined;
  scopes: readonly Scope[];
  /** Where its operation answers a file, and not the world’s reply. */
  asksForFile: boolean;
}

/** Reads a call and notes it for the log. Throws the problem to answer where its caller may not make it so. */
function checkCall(operation: Operation, request: FastifyRequest): CheckedCall {
  const { principal, params: path, headers } = request;
  const { query, body } = readSources(request, operation.bodyBytes);
  const named = readClientId(query, body, headers['x-client-id']);
  const reading = readParameters(operation, { path, query, body });
  if (!reading.ok) throw invalidFields(reading.errors);
  const { parameters, wire } = reading;
  const facts: CallFacts = { ...factsOf(named), wire, ignored: ignoredNames(reading.ignored) };
  request.call = facts;
  const scopes = [operation.scope, ...(operation.scopesFor?.(wire) ?? [])];
  for (const scope of scopes) authorize(principal, scope);
  const { resultBytes } = operation;
  return {
    facts,
    named,
    scopes,
    wire,
    givenUserId: wire['userId'],
    asksForFile: resultBytes !== undefined && asksForFile(resultBytes, parameters, headers.accept),
  };
}

const json = 'application/json; charset=utf-8';

/** Abandons the call when the caller disconnects, because nobody waits for its answer then. */
function abandonWithoutCaller(asked: Asked<WorldReply>, reply: FastifyReply): void {
  if (reply.raw.destroyed) asked.abandon();
  reply.raw.on('close', () => {
    if (!reply.raw.writableEnded) asked.abandon();
  });
}
