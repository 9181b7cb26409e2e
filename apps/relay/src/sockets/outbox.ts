import type { Socket } from 'node:net';

/** Joins the frames that one turn of the event loop sends down a socket into one write to the kernel. */
export interface Outbox {
  /** To be called before each frame; what follows in this turn goes out at its end. */
  hold(transport: Socket): void;
}

export function createOutbox(): Outbox {
  let held: Socket[] = [];

  function release(): void {
    const sockets = held;
    held = [];
    for (const socket of sockets) socket.uncork();
  }

  return {
    hold(transport) {
      if (transport.writableCorked > 0) return;
      transport.cork();
      // Runs when all that the kernel had for us was read: no call waits longer for it.
      if (held.push(transport) === 1) setImmediate(release);
    },
  };
}
