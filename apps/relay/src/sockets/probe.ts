import type { WebSocket } from 'ws';
import type { Deadlines } from './deadlines.ts';

/** Pings a peer. True when anything comes from it within `waitMs`, false when its connection ends before. */
export function probe(ws: WebSocket, deadlines: Deadlines, waitMs: number): Promise<boolean> {
  ws.ping();
  return new Promise((resolve) => {
    const finish = (alive: boolean) => {
      deadline.cancel();
      ws.off('pong', seen).off('message', seen).off('close', gone);
      resolve(alive);
    };
    const seen = () => finish(true);
    const gone = () => finish(false);
    const deadline = deadlines.add(waitMs, () => finish(false));
    ws.on('pong', seen).on('message', seen).on('close', gone);
  });
}
