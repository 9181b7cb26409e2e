import { readParameters } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingHookHandler,
  RouteOptions,
  onRequestHookHandler,
} from 'fastify';
import { senderOf } from '../records/sender.ts';
import { readGetBodies } from './bodies/read-json.ts';
import { readClientId, checkReach } from './choose-client.ts';
import { acceptRawBodies, readSources } from './files/raw-body.ts';
import { readResultFile, sendFile } from './files/result-file.ts';
import { readIdempotencyKey, replayedHeader } from './idempotency-key.ts';
import { ignoredHeader, factsOf } from './log-calls.ts';
import type { KeyCall, MakeCall } from './make-call.ts';
import { operationSchema } from './operation-schema.ts';
import { asksForFile } from './prefers-json.ts';
import type { CountRequestBytes } from './request-bytes.ts';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';
import type { Directory } from '@tabletop-relay/cluster';
import { authorize } from '../keys/authenticate.ts';
import { refusePaused } from '../pauses/pauses.ts';
import type { RelayMetrics } from '../metrics.ts';
import { codeOf, invalidFields } from '../problem.ts';
import type { ProblemError } from '../problem.ts';
import { announcesBody, announcesLargeBody } from './request-bytes.ts';

export interface OperationRoutesDeps extends CheckHeadDeps {
  operations: readonly Operation[];
  makeCall: MakeCall;
  countRequestBytes: CountRequestBytes;
  callerReadMs: number;
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
  const checkHead = createCheckHead(deps);
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
      onRequest: checkHead(operation),
      handler: relay(operation, deps),
      preParsing: countBody(deps),
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
function countBody({ countRequestBytes }: OperationRoutesDeps): preParsingHookHandler {
  return (request, reply, payload, done) => {
    countRequestBytes(request, reply, payload);
    done(null, payload);
  };
}

function relay(operation: Operation, { makeCall, callerReadMs }: OperationRoutesDeps) {
  const { bodyBytes, resultBytes } = operation;

  return async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { params: path, headers } = request;
    const call = callOf(operation, request, reply, () => {
      const { query, body } = bodyBytes ? readSources(request, bodyBytes) : request;
      const named = readClientId(query, body, headers['x-client-id']);
      const reading = readParameters(operation, { path, query, body });
      const header = headers['idempotency-key'];
      const idempotencyKey = header === undefined ? undefined : readIdempotencyKey(header);
      return { named, reading, idempotencyKey };
    });
    const nameIgnored = () => {
      if (call.facts.ignored !== '') void reply.header(ignoredHeader, call.facts.ignored);
    };
    try {
      return await makeCall(call, ({ reply: ofWorld, parameters, isReplay }) => {
        nameIgnored();
        if (isReplay) void reply.header(replayedHeader, 'true');
        watchCaller(reply, ofWorld, callerReadMs);
        const file =
          resultBytes &&
          asksForFile(resultBytes, parameters, headers.accept) &&
          readResultFile(operation, resultBytes, ofWorld.body);
        return file ? sendFile(reply, file) : reply.type(json).send(ofWorld.body);
      });
    } catch (error) {
      nameIgnored();
      throw error;
    }
  };
}

/** A call that comes as a request of its own. */
function callOf(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  read: KeyCall['read'],
): KeyCall {
  const { principal, id: requestId, step } = request;
  const facts = (request.call ??= factsOf(undefined));
  return {
    operation, principal, requestId, step, facts, read,
    via: 'http', assistant: null,
    sender: senderOf(request),
    elapsedMs: () => reply.elapsedTime,
    signal: hangUpOf(reply),
  }; // prettier-ignore
}

const json = 'application/json; charset=utf-8';

/** Aborted when the caller disconnects before its answer has been written. */
function hangUpOf({ raw }: FastifyReply): AbortSignal {
  const hangUp = new AbortController();
  if (raw.destroyed) hangUp.abort();
  raw.once('close', () => {
    if (!raw.writableEnded) hangUp.abort();
  });
  return hangUp.signal;
}

/** A caller that reads more slowly than this on average is cut off. Its bytes hold up the world that sent them. */
const leastBytesPerSecond = 64 * 1024;

/**
 * Watches over an answer whose bytes count as in flight. Lets them go when the caller has read them, and cuts off a
 * caller that reads nothing for `readMs`. A caller that is cut off sees a connection that ends before `content-length`.
 */
export function watchCaller({ raw }: FastifyReply, { body, release }: WorldReply, readMs: number): void {
  if (!release) return;
  if (raw.destroyed || raw.closed) return release();
  // Without a listener for it, Node destroys the socket at this time-out.
  raw.setTimeout(readMs);
  const longestMs = readMs + (body.length / leastBytesPerSecond) * 1_000;
  const timer = setTimeout(() => raw.destroy(), longestMs);
  // Before Node's own listener, which sets the time for which the connection may idle, or hands it to the next answer.
  raw.prependOnceListener('finish', () => raw.setTimeout(0));
  raw.once('close', () => {
    clearTimeout(timer);
    release();
  });
}

interface CheckHeadDeps {
  directory: Pick<Directory, 'find'>;
  /** Tells an unknown client from one that is offline. */
  explainAbsence(accountId: string, clientId: string): Promise<ProblemError>;
  metrics: Pick<RelayMetrics, 'calls'>;
}

/** Makes the check of an operation's calls that runs before their bodies are read. */
type CheckHead = (operation: Operation) => onRequestHookHandler;

/**
 * Refuses by a call's head what its key may not do: the scope, and the world where query or header name one. So nobody
 * makes the relay read and parse a body for a call that cannot be made. Whether the account has the world is asked for large
 * bodies alone, because it takes a look at Redis; that a world is offline is found by the router.
 */
function createCheckHead({ directory, explainAbsence, metrics }: CheckHeadDeps): CheckHead {
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
