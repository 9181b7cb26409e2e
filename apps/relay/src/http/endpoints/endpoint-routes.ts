import {
  endpointGroups,
  expandFields,
  expandScopes,
  fieldAliases,
  isDownload,
  isEventStream,
  isRedirect,
} from '@tabletop-relay/contract';
import type { Endpoint, EndpointGroup, InputOf } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import { Readable } from 'node:stream';
import type { ServedEndpoint } from '../../endpoint-handler.ts';
import '../fastify-types.ts';
import { compressEndpointBytes } from '../compress-answers.ts';
import { callerOf } from './caller.ts';
import { describeEndpoint } from './describe-endpoint.ts';
import { createEventStreams } from './event-stream.ts';
import { guardsOf } from './guards.ts';
import { readForms } from './oauth-bodies.ts';
import type { GuardDeps } from './guards.ts';
import { asUnavailable } from './postgres-away.ts';
import { checkInput } from '../validation.ts';

export interface EndpointRoutesDeps extends GuardDeps {
  /** Largest body of an endpoint. It is smaller than that of a call, because strangers may send some of these bodies. */
  maxBodyBytes: number;
}

/**
 * Adds a route for each endpoint; everything about it follows from its literal. `registerRateLimit` must come before,
 * and so must the hooks that check API keys, for endpoints that take one.
 */
export async function registerEndpoints(
  app: FastifyInstance,
  served: readonly ServedEndpoint[],
  deps: EndpointRoutesDeps,
): Promise<void> {
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request) => {
      throw asUnavailable(error, request);
    });
    // A request without a body names no field; a body that says null is wrong.
    scope.addHook('preValidation', (request, _reply, done) => {
      if (request.body === undefined) request.body = {};
      request.askedScopes = expandScopesIn(request.body);
      checkInput(request);
      done();
    });
    scope.decorateRequest('session');
    scope.decorateRequest('askedScopes');
    const answer = createAnswer(scope, deps);
    const forms = served.filter(({ endpoint }) => endpoint.form);
    await scope.register((formScope, _options, done) => {
      readForms(formScope);
      for (const one of forms) addRoute(formScope, one);
      done();
    });
    for (const one of served) if (!one.endpoint.form) addRoute(scope, one);

    function addRoute(app: FastifyInstance, one: ServedEndpoint): void {
      const { endpoint, name } = one;
      app.route({
        method: endpoint.method,
        url: endpoint.path,
        exposeHeadRoute: endpoint.method === 'GET' && !endpoint.noHead,
        bodyLimit: deps.maxBodyBytes,
        schema: describeEndpoint(name, endpoint, tagOf(name)),
        config: {
          anyOrigin: endpoint.origin === 'any',
          openToDisabled: endpoint.openToDisabled === true,
          compressFrom: compressEndpointBytes,
          secretAnswer: endpoint.secretAnswer === true,
          speaksOAuth: endpoint.speaks === 'oauth',
          leadsTo: isRedirect(endpoint.answer),
        },
        // The plugin would refuse a wrong `Accept` without a problem document.
        ...(isEventStream(endpoint.answer) ? { sse: 'manual' } : {}),
        onRequest: guardsOf(scope, endpoint, deps),
        ...(fieldAliases[name] && { preValidation: expandFieldsOf(name) }),
        handler: (request, reply) => answer(one, request, reply),
      });
    }
  });
}

/** The fields of bodies that name scopes. */
const scopeFields = ['scopes', 'remoteScopes'];

/**
 * Puts the real names in the place of aliases, so that all that follows, and who approves, sees nothing else. Returns those that
 * were given, where one was an alias.
 */
function expandScopesIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const fields = body as Record<string, unknown>;
  return scopeFields.flatMap((name) => {
    const named: unknown = fields[name];
    if (!Array.isArray(named)) return [];
    const expanded = expandScopes(named);
    fields[name] = expanded;
    return expanded === named ? [] : [...new Set(named.filter((one) => typeof one === 'string'))];
  });
}

const expandFieldsOf =
  (name: string): preValidationHookHandler =>
  (request, _reply, done) => {
    const { body } = request;
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    if (isObject) request.body = expandFields(name, body as Record<string, unknown>);
    done();
  };

/** The tag of an endpoint: its group, or `others` for one that is not published. */
function tagOf(name: string): string {
  const groups = Object.entries<EndpointGroup>(endpointGroups);
  return groups.find(([, { endpoints }]) => Object.hasOwn(endpoints, name))?.[0] ?? 'others';
}

function createAnswer(app: FastifyInstance, { publicUrlOf }: EndpointRoutesDeps) {
  const answerWithEvents = createEventStreams(app);

  return async function answer(
    { endpoint, handle }: ServedEndpoint,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const { params, query, body, headers } = request;
    const input = { params, query, body, headers } as InputOf<Endpoint>;
    const caller = callerOf(request, reply, publicUrlOf(request));
    if (isEventStream(endpoint.answer)) {
      return await answerWithEvents(request, reply, (stream) => handle(input, caller, stream));
    }
    const answered = await handle(input, caller);
    if (isRedirect(endpoint.answer)) return await reply.redirect(String(answered), 303);
    if (endpoint.status !== undefined) void reply.code(endpoint.status);
    if (!isDownload(endpoint.answer)) return answered;
    return await reply
      .header('content-disposition', `attachment; filename="${endpoint.answer.download}"`)
      .type('application/json; charset=utf-8')
      .send(Readable.from(answered as AsyncIterable<string>));
  };
}
