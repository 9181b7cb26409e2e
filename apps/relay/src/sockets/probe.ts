import type { WebSocket } from 'ws';

/** Pings a peer. True when anything comes from it within `waitMs`, false when its connection ends before. */
export function probe(ws: WebSocket, waitMs: number): Promise<boolean> {
  ws.ping();
  return new Promise((resolve) => {
    const finish = (alive: boolean) => {
      clearTimeout(timer);
      ws.off('pong', seen).off('message', seen).off('close', gone);
      resolve(alive);
    };
    const seen = () => finish(true);
    const gone = () => finish(false);
    const timer = setTimeout(finish, waitMs, false);
    ws.on('pong', seen).on('message', seen).on('close', gone);
  });
}
