import type { ClientRecord, Operation } from '@tabletop-relay/contract';
import { readPayload } from '@tabletop-relay/contract';
import type { RelaySecrets } from '@tabletop-relay/database';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { factsOf } from '../calls/log-calls.ts';
import type { LogCalls } from '../calls/log-calls.ts';
import type { MakeCall } from '../calls/make-call.ts';
import type { Authenticate, KeysByHash, Principal } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import { bearerOf } from '../keys/bearer.ts';
import { issuerAt } from '../keys/oauth/issuer.ts';
import { asProblem, codeOf, invalidFields, problemDocument } from '../problem.ts';
import type { ProblemError } from '../problem.ts';
import { senderOf } from '../records/sender.ts';
import type { ReadRecent } from '../streams/recent-events.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Session } from './call-tool.ts';
import { createCatalog } from './catalog.ts';
import type { Catalog } from './catalog.ts';
import { createConfirmation } from './confirmation.ts';
import { createServeMcp } from './mcp-server.ts';
import type { OpenSession } from './mcp-server.ts';
import { explained, narrow, readNarrowing } from './narrowing.ts';
import { askForMore, challengeOf } from './sign-in.ts';

export interface McpDeps {
  operations: readonly Operation[];
  authenticate: Authenticate;
  /** For a relay where nobody signs in. */
  authenticateKey: Authenticate;
  keys: Pick<KeysByHash, 'renew'>;
  limits: Pick<CallLimits, 'spendMinute'>;
  makeCall: MakeCall;
  logCalls: Pick<LogCalls, 'failed'>;
  /** Told of each call that failed, as of a request that does. */
  tellFailure(problem: ProblemError, request: FastifyRequest): void;
  /** The worlds that a key reaches. */
  listReached(principal: Principal): Promise<ClientRecord[]>;
  readRecent: ReadRecent;
  tracing: Tracing | undefined;
  publicUrlOf(request: FastifyRequest): string;
  secrets: RelaySecrets;
  version: string;
  log: Logger;
}

const path = '/mcp';

/** Each part narrows by one thing, so there can be as many. */
const partNames = [':first', ':second', ':third', ':fourth'];

/** Larger files go over HTTP. */
const maxBodyBytes = 1_048_576;

/** Read of a request by the protocol. */
const readHeaders = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** For preflights, and for whoever tries all routes: the document of the API leaves it out, for the protocol describes itself. */
const openApi = {
  hide: true,
  security: [{ apiKey: [] }],
  headers: {
    type: 'object',
    properties: {
      ...Object.fromEntries([...readHeaders, 'authorization'].map((name) => [name, { type: 'string' }])),
      // The revisions before the newest refuse what does not say both.
      accept: { const: 'application/json, text/event-stream' },
    },
  },
  body: {
    type: 'object',
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: 'integer' },
      method: { enum: ['tools/call'] },
      params: {
        type: 'object',
        properties: {
          name: { enum: ['call_operation', 'worlds', 'recent_events', 'players', 'entity', 'chat_send'] },
          arguments: {
            type: 'object',
            properties: {
              name: { enum: ['players', 'delete', 'execute-js', 'chat-messages'] },
              channel: { enum: ['chat', 'rolls'] },
              arguments: { type: 'object', properties: { clientId: { type: 'string' } } },
              clientId: { type: 'string' },
              world: { type: 'string' },
            },
          },
        },
        required: ['name', 'arguments'],
      },
    },
    required: ['jsonrpc', 'id', 'method', 'params'],
  },
};

/**
 * Adds the address of assistants: the Model Context Protocol, one message a request, on any instance. An account's other endpoints,
 * its logs, and whatever makes a credential are no tools, and nothing here leads to them.
 */
export function registerMcp(app: FastifyInstance, deps: McpDeps): void {
  const catalog = createCatalog(deps.operations);
  const serve = createServeMcp({
    ...deps,
    catalog,
    confirmation: createConfirmation(deps.secrets),
  });
  app.decorateRequest('principal', null as unknown as Principal);
  app.addHook('onRequest', async (request, reply) => {
    const issuer = issuerAt(deps.publicUrlOf(request));
    void reply.header('www-authenticate', challengeOf(issuer, request));
    const authenticate = issuer === undefined ? deps.authenticateKey : deps.authenticate;
    request.principal = await authenticate(readKey(request), request.ip, request.raw.socket);
    void reply.removeHeader('www-authenticate');
    void reply.headers(await deps.limits.spendMinute(request.principal));
  });

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { body } = request;
    refuseOthers(body);
    const parts = Object.values(request.params as Record<string, string>);
    const narrowing = readNarrowing(request.query, parts);
    // Its body may have taken a minute.
    request.principal = await deps.keys.renew(request.principal);
    // Says at once what the address asks for in vain.
    const principal = narrow(request.principal, narrowing);
    askForMore({ catalog, principal, narrowing }, body, issuerAt(deps.publicUrlOf(request)));
    const gone = goneOf(reply);
    const open: OpenSession = (program) => sessionOf(deps, catalog, { request, reply, narrowing, program });
    const headers = new Headers();
    for (const name of readHeaders) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const asked = new Request(`http://relay${path}`, { method: 'POST', headers, signal: gone });
    return await send(reply, await serve(asked, body, open));
  }

  const part = {
    type: 'string',
    description: 'What narrows the key, as `name=value`.',
    examples: ['readonly=1'],
  };
  const route = (parts: readonly string[]) => ({
    schema: { hide: true },
    config: {
      anyOrigin: true,
      openApi: {
        ...openApi,
        params: {
          type: 'object',
          properties: Object.fromEntries(parts.map((name) => [name.slice(1), part])),
        },
      },
    },
    bodyLimit: maxBodyBytes,
  });
  for (let count = 0; count <= partNames.length; count++) {
    const parts = partNames.slice(0, count);
    app.post([path, ...parts].join('/'), route(parts), handle);
  }
}

/** A key as the protocol's programs send it, or as all others do. */
function readKey({ headers }: FastifyRequest): string | string[] | undefined {
  const own = headers['x-api-key'];
  const bearer = bearerOf(headers);
  if (bearer !== undefined && own !== undefined && own !== bearer)
    throw invalidFields([{ field: 'x-api-key', message: 'and `Authorization` hold two keys: send one' }]);
  return own ?? bearer;
}

/** A list of messages would be many calls for one of the minute, and a subscription is nothing that is offered. */
function refuseOthers(body: unknown): void {
  if (Array.isArray(body))
    throw invalidFields([{ field: 'body', message: 'must be one message: send each by itself' }]);
  if ((body as { method?: unknown } | null | undefined)?.method === 'subscriptions/listen')
    throw invalidFields([
      {
        field: 'method',
        message: 'is not offered: what is listed does not change, and `recent_events` tells the rest',
      },
    ]);
}

/** Aborted when the program has gone before its answer was written. */
function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  raw.once('close', () => {
    if (!raw.writableEnded) gone.abort();
  });
  return gone.signal;
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  void reply.code(response.status).header('cache-control', 'no-store').header('x-accel-buffering', 'no');
  const type = response.headers.get('content-type');
  if (type !== null) void reply.header('content-type', type);
  if (response.body === null) return reply.send();
  if (!type?.startsWith('text/event-stream')) return reply.send(await response.text());
  return reply.send(Readable.fromWeb(response.body as ReadableStream));
}

interface Opening {
  request: FastifyRequest;
  reply: FastifyReply;
  narrowing: Session['narrowing'];
  program: string;
}

function sessionOf(
  deps: McpDeps,
  catalog: Catalog,
  { request, reply, narrowing, program }: Opening,
): Session {
  const { principal: admitted, id: requestId } = request;
  const narrowed = (key: Principal) => narrow(key, narrowing);
  const principal = narrowed(admitted);

  return {
    principal,
    admitted,
    narrow: narrowed,
    narrowing,
    listWorlds: () => deps.listReached(principal),
    readRecent: deps.readRecent,
    async carryOut({ operation, payload, world, idempotencyKey, signal }) {
      const step = deps.tracing?.begin('http', {
        operation: operation.name,
        traceparent: request.headers['traceparent'],
        elapsedMs: reply.elapsedTime,
      });
      const facts = factsOf(undefined);
      const known = {
        operation, requestId, facts, sender: senderOf(request), via: 'mcp' as const, assistant: program || null,
      }; // prettier-ignore
      const call = {
        ...known, principal: admitted, narrow: narrowed, step, signal,
        elapsedMs: () => reply.elapsedTime,
        read: () => {
          // Here, so that what is refused counts and is logged as over HTTP.
          catalog.check({ principal, narrowing }, operation);
          return { named: world, reading: readPayload(operation, payload), idempotencyKey };
        },
      }; // prettier-ignore
      try {
        return await deps.makeCall(call, ({ reply: { body, release }, isReplay }) => {
          release?.();
          step?.end('ok');
          return { body, isReplay, ignored: facts.ignored };
        });
      } catch (thrown) {
        const error = explained(thrown, admitted);
        step?.end(codeOf(error));
        const problem = asProblem(error);
        deps.tellFailure(problem, request);
        const context = { publicUrl: deps.publicUrlOf(request), traceId: requestId, relayed: operation };
        deps.logCalls.failed(
          { ...known, principal, tookMs: reply.elapsedTime },
          problem,
          problemDocument(problem, context),
        );
        throw problem;
      }
    },
  };
}
