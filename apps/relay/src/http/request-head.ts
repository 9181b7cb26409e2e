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
