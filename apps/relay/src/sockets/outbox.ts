import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

/** False also where the connection has ended and `ws` was not told of it yet. */
export function isConnected(ws: WebSocket, transport: Socket): boolean {
  return ws.readyState === ws.OPEN && transport.readable;
}

/** Joins what is written to a socket within one turn of the event loop, so that it costs one system call. */
export interface Outbox {
  /** To be called before each write. What is written in this turn goes out at its end. */
  cork(transport: Socket): void;
}

/**
 * While thousands connect or leave at once a turn takes hundreds of milliseconds, and what is corked until its end waits as long. Once a turn
 * took longer than this, what is written in the next ones goes out without waiting. Joining saves a busy instance a system call per
 * frame, so a turn that is only full, or that collects garbage, must not end it.
 */
const longTurnMs = 50;
const hurryMs = 1_000;

export function createOutbox(now = () => performance.now()): Outbox {
  let corked: Socket[] = [];
  let corkedAt = 0;
  let hurryUntil = -Infinity;

  function release(): void {
    const sockets = corked;
    corked = [];
    const at = now();
    if (at - corkedAt > longTurnMs) hurryUntil = at + hurryMs;
    for (const socket of sockets) socket.uncork();
  }

  function cork(transport: Socket): void {
    if (transport.writableCorked > 0) return;
    transport.cork();
    if (corked.push(transport) > 1) return;
    corkedAt = now();
    if (corkedAt < hurryUntil) process.nextTick(release);
    // It runs after the sockets that are ready were read, so no call waits noticeably longer.
    else setImmediate(release);
  }

  return { cork };
}
