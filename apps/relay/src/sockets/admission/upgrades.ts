import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createSlices } from './slices.ts';

export interface Upgrades {
  /** True for a request that found too many others waiting. */
  isTooMany(request: IncomingMessage): boolean;
}

/**
 * Lets the upgrades of connecting modules wait for their turn before anything else is done for them. Routing one costs a
 * tenth of a millisecond, so a thousand that came at once would keep every call waiting. To be called when the server has
 * its listener for upgrades. `isFull` is asked with the number of upgrades that wait.
 */
export function paceUpgrades(server: Server, isFull: (waiting: number) => boolean): Upgrades {
  const slices = createSlices();
  const tooMany = new WeakSet<IncomingMessage>();
  const listeners = server.listeners('upgrade') as ((...upgrade: Upgrade) => void)[];
  const takeUp = (...upgrade: Upgrade) => {
    for (const listener of listeners) listener.apply(server, upgrade);
  };
  server.removeAllListeners('upgrade');
  server.on('upgrade', (...upgrade: Upgrade) => {
    const [request, socket] = upgrade;
    if (isFull(slices.waiting)) {
      tooMany.add(request);
      return takeUp(...upgrade);
    }
    // Node has taken its own listener off, and an error that nobody hears would end the process.
    socket.on('error', destroy);
    slices.add(() => {
      socket.off('error', destroy);
      if (!socket.destroyed) takeUp(...upgrade);
    });
  });
  return { isTooMany: (request) => tooMany.has(request) };
}

type Upgrade = [request: IncomingMessage, socket: Socket, head: Buffer];

function destroy(this: Socket): void {
  this.destroy();
}
