import type { Socket } from 'node:net';

/** Joins the frames that are sent to a socket within one turn of the event loop, so that they cost one system call. */
export interface Outbox {
  /** To be called before each frame. Frames of this turn are written at its end. */
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
      // setImmediate runs after the sockets that are ready were read, so no call waits noticeably longer.
      if (held.push(transport) === 1) setImmediate(release);
    },
  };
}
