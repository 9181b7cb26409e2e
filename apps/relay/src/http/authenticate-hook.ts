import type { FastifyInstance } from 'fastify';
import type { Authenticate, Principal } from '../keys/authenticate.ts';

/** Checks the API key of every route in this scope before its body is read. */
export function requireApiKey(app: FastifyInstance, authenticate: Authenticate): void {
  app.decorateRequest('principal', null as unknown as Principal);
  app.addHook('onRequest', (request, _reply, done) => {
    const principal = authenticate(request.headers['x-api-key'], request.ip);
    if (!(principal instanceof Promise)) {
      request.principal = principal;
      return done();
    }
    principal.then((found) => {
      request.principal = found;
      done();
    }, done);
  });
}
