import type { onRequestHookHandler } from 'fastify';
import type { Socket } from 'node:net';
import { createFairLine } from '../../credentials/lines/fair-line.ts';
import { addressBlock } from '../../limits/ip-allowlist.ts';

interface Waiting {
  socket: Socket;
  begin(): void;
}

/**
 * A hook that lets one request begin in each turn of the event loop, so that calls are served in between: each turn
 * takes all calls and answers of worlds that have come meanwhile. Where strangers send hundreds of requests at once, the
 * turn that does all of them would keep every call waiting. Addresses take turns, and so do the connections of each.
 * The line needs no bound of its own: a connection has few requests in it (`connections/pipelines.ts`).
 */
export function createRequestLine(): onRequestHookHandler {
  const line = createFairLine<Waiting>(Infinity);
  let hasBegun = false;

  /** Whoever has hung up meanwhile is left out. */
  function takeNext(): Waiting | undefined {
    let next = line.take();
    while (next?.socket.destroyed) next = line.take();
    return next;
  }

  function nextTurn(): void {
    const next = takeNext();
    hasBegun = next !== undefined;
    if (!next) return;
    setImmediate(nextTurn);
    next.begin();
  }

  return ({ ip, raw: { socket } }, _reply, begin) => {
    if (hasBegun) {
      line.add([{ key: addressBlock(ip) }, { key: String(socket.remotePort) }], { socket, begin });
      return;
    }
    hasBegun = true;
    setImmediate(nextTurn);
    begin();
  };
}
