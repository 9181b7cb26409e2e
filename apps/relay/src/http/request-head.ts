import { shorten } from '@tabletop-relay/contract';
import type { FastifyInstance } from 'fastify';
import { invalidFields, ProblemError } from '../problem.ts';

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
