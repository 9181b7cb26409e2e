import { shorten } from '@tabletop-relay/contract';
import { isLoopbackHost } from '@tabletop-relay/process';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { kindOfSecret } from '../credentials/secret.ts';
import { invalidFields, ProblemError } from '../problem.ts';
import { isPreflight, openHeaders } from './any-origin.ts';
import type { PreflightHeaders } from './any-origin.ts';
import type { HttpSettings } from './http-settings.ts';
import { pathOf } from './paths.ts';
import type { Paths } from './paths.ts';

/** Rules for the heads of all answers, and of all requests before a route has them. */

type SecuritySettings = Pick<HttpSettings, 'publicUrl' | 'hstsMaxAgeS'>;

/**
 * What stands on every answer: its type is as declared, it renders nothing and is framed nowhere, addresses do not
 * leak to other sites, and nobody keeps it. Pages and public documents say their own instead.
 */
export function securityHeaders({
  publicUrl,
  hstsMaxAgeS,
}: SecuritySettings): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    // For this host alone: what its subdomains speak is not the relay's to say.
    ...(publicUrl?.startsWith('https:') ? { 'strict-transport-security': `max-age=${hstsMaxAgeS}` } : {}),
  };
}

export interface StandingHeaderParts {
  config: SecuritySettings;
  paths: Paths;
}

/**
 * Gives each answer the headers that say who may read it, how long, and by which id it is found. What answers may set others over
 * them. To be called before all that may answer.
 */
export function addStandingHeaders(app: FastifyInstance, { config, paths }: StandingHeaderParts): void {
  const closed = securityHeaders(config);
  const open = { ...closed, ...openHeaders };
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(isOpen(request, paths) ? open : closed).header('x-request-id', request.id);
    const theirs = callerRequestId(request);
    if (theirs !== undefined) void reply.header('x-caller-request-id', theirs);
    done();
  });
}

/** What has no route is open as well, so that an old module shows why it was refused. */
function isOpen(request: FastifyRequest, paths: Paths): boolean {
  const { is404, routeOptions } = request;
  return is404 ? paths.isOpen(pathOf(request)) : routeOptions.config.anyOrigin === true;
}

/** What programs and proxies use: UUIDs, ULIDs, base64url, paths with dots and colons. */
const wellFormed = /^[\w.:-]{1,128}$/;

/**
 * The id that the caller gave the request (`x-request-id`), or undefined. It is logged beside ours and echoed as
 * `x-caller-request-id`; another text is dropped, because a log line and a header hold nothing that anybody may write freely.
 */
export function callerRequestId({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !wellFormed.test(given)) return undefined;
  // A key in the wrong header.
  return kindOfSecret(given) === undefined ? given : undefined;
}

/** Refuses by problem documents what Node would answer by itself, with an empty body and none of our headers. */
export function refuseWrongHeads(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { rawHeaders, headers, httpVersion } }, _reply, done) => {
    const hosts = countHosts(rawHeaders);
    // Of two Node takes the first; a proxy before it may have judged by the other.
    if (hosts > 1) return done(invalidFields([{ field: 'host', message: 'must stand once' }]));
    if (httpVersion !== '1.1') return done();
    if (hosts === 0)
      return done(invalidFields([{ field: 'host', message: 'is missing: HTTP/1.1 requires it' }]));
    const { expect } = headers;
    const isMet = expect === undefined || /(?:^|\W)100-continue(?:$|\W)/i.test(expect);
    done(isMet ? undefined : new ProblemError('expectation_failed'));
  });
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

/** Refuses queries that cannot be decoded: their `%` would stand for itself in what the world is sent. To be called before the routes. */
export function refuseUnreadableQueries(app: FastifyInstance): void {
  app.addHook('preParsing', ({ url }, _reply, payload, done) => {
    const field = unreadableIn(url);
    if (field === undefined) return done(null, payload);
    const message = 'must be UTF-8 in percent-encoding, in which a percent sign itself is `%25`';
    done(invalidFields([{ field: shorten(field), place: 'query', message }]));
  });
}

/** The name of the first value of a query that cannot be decoded. */
function unreadableIn(url: string): string | undefined {
  const begin = url.indexOf('?') + 1;
  if (begin === 0 || !url.includes('%', begin)) return undefined;
  return url
    .slice(begin)
    .split('&')
    .find((pair) => !isReadable(pair))
    ?.split('=', 1)[0];
}

function isReadable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Answers what no route matched: 405 with `Allow` where another method would, 404 otherwise. */
export function answerUnmatched(
  app: FastifyInstance,
  { paths, preflightHeaders }: { paths: Paths; preflightHeaders: PreflightHeaders },
): void {
  const refuse = (request: FastifyRequest) => {
    const path = pathOf(request);
    const methods = paths.methodsOf(path);
    // A route of our own may find nothing either: the file of a path that has many.
    if (methods.length === 0 || methods.includes(request.method))
      throw new ProblemError('not_found', `There is no ${path} here. /docs lists what there is.`);
    const allow = methods.join(', ');
    throw new ProblemError('method_not_allowed', `${path} takes ${allow}.`, { headers: { allow } });
  };
  // As a hook: the handler would run only after the body was read.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    // Without this the browser would not even ask, and its page would show no words of ours.
    if (isPreflight(request) && paths.methodsOf(pathOf(request)).length === 0)
      return void reply.code(204).headers(preflightHeaders()).send();
    refuse(request);
  });
  app.setNotFoundHandler(refuse);
}

/** Refuses requests for another Host than a loopback one: for instances without PUBLIC_URL, see `createPublicUrl`. */
export function refuseForeignHost(request: FastifyRequest): void {
  if (loopbackAddress(request) !== undefined || request.routeOptions.config.anyHost) return;
  throw new ProblemError(
    'forbidden',
    'This relay answers on loopback addresses only until PUBLIC_URL is set.',
  );
}

/** What was asked last and its answer: most requests name the same host, and each asks several times. */
let last: { named: string; address: string | undefined } = { named: '', address: undefined };

/** As the request names it, if it can be an address at all; names of hosts ignore case. */
export function loopbackAddress({ protocol, host }: FastifyRequest): string | undefined {
  const named = `${protocol}://${host}`;
  if (last.named !== named) {
    const url = URL.parse(named);
    last = { named, address: url !== null && isLoopbackHost(url.hostname) ? url.origin : undefined };
  }
  return last.address;
}
