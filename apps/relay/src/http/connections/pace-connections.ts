import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createSlices } from '../../sockets/admission/slices.ts';
import { createPaceEnd } from './pace-end.ts';

/**
 * Lets new connections wait for their turn before anything is read from them. Node accepts all that have come in one turn of the event
 * loop, and makes a parser for each: with ten thousand worlds that come back at once, no call would be served meanwhile. To be called
 * when the server has no listener for connections but Node's own.
 */
export function paceConnections(server: Server): void {
  const slices = createSlices();
  const paceEnd = createPaceEnd();
  const [parse] = server.listeners('connection') as [(socket: Socket) => void];
  server.off('connection', parse);
  // An option of `node:net` that `node:http` does not hand on.
  Object.assign(server, { pauseOnConnect: true });
  server.on('connection', (socket: Socket) =>
    slices.add(() => {
      // A server that closes would wait for it, because it looks for idle connections only once.
      if (!server.listening) socket.destroy();
      if (socket.destroyed) return;
      parse.call(server, socket);
      paceEnd(socket);
      socket.resume();
    }),
  );
}
