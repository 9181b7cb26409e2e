import type { RouteOptions } from 'fastify';
import { invalidFields } from '../problem.ts';

/** The end of a route that takes WebSocket connections and nothing else. */
export const upgradeAlone: Pick<RouteOptions, 'preHandler' | 'handler'> = {
  // Behind all checks nothing is answered by it any more, and it would stay as long as the socket.
  preHandler: (request, reply, done) => {
    if (request.ws) reply.raw.detachSocket(request.raw.socket);
    done();
  },
  handler: () => {
    throw invalidFields([
      { field: 'upgrade', message: 'is missing: this address takes WebSocket connections' },
    ]);
  },
};
