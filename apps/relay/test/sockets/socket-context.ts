import { Registry } from 'prom-client';
import { createRelayMetrics } from '../../src/metrics.ts';
import type { SocketContext } from '../../src/sockets/client-socket.ts';

/** High enough that no test meets them but one that sets its own. */
export const generousLimits: SocketContext['limits'] = {
  callsInFlight: 10,
  sendQueueBytes: 1_000_000,
  replyBytes: 1_000_000,
  answerQueueBytes: 1_000_000,
  inflow: {
    bytesPerSecond: 1e9,
    burstBytes: 1e9,
    framesPerSecond: 1e9,
    burstFrames: 1e9,
    patienceMs: 60_000,
  },
};

/** What the sockets of an instance share, with nothing behind it but what a test gives. */
export function createSocketContext(given: Partial<SocketContext> = {}): SocketContext {
  return {
    outbox: { cork: () => {} },
    replyBytes: { count: () => undefined },
    limits: generousLimits,
    mayAct: () => true,
    metrics: createRelayMetrics(new Registry()),
    onThrottle: () => {},
    ...given,
  };
}
