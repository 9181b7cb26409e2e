import { EventEmitter } from 'node:events';
import { vi } from 'vitest';
import { ClientSocket } from '../../src/sockets/client-socket.ts';
import type { SocketContext, SocketLimits, SocketLink } from '../../src/sockets/client-socket.ts';
import type { SocketIdentity } from '../../src/worlds/socket-identity.ts';
import { createSocketContext, generousLimits } from './socket-context.ts';

const inflow = {
  bytesPerSecond: 1_000,
  burstBytes: 1_600_000,
  framesPerSecond: 100,
  burstFrames: 100,
  patienceMs: 60_000,
};

const identity = {
  declared: {},
  clientId: 'client',
  accountId: 'account',
  address: '192.0.2.1',
  principal: {
    tokenId: 'token',
    name: 'Laptop',
    scopes: new Set(),
    allowedTargetClients: new Set(['target']),
  },
  world: { systemId: '', systemTitle: '' },
} as unknown as SocketIdentity;

/** The socket of a world whose WebSocket goes nowhere and remembers what it was told. */
export function createWiredSocket(
  changed: { limits?: Partial<SocketLimits>; world?: object; mayAct?: () => boolean } = {},
) {
  const sent: Record<string, unknown>[] = [];
  const ws = Object.assign(new EventEmitter(), {
    readyState: 1,
    OPEN: 1,
    bufferedAmount: 0,
    isPaused: false,
    send: (text: Buffer) => sent.push(JSON.parse(text.toString()) as (typeof sent)[number]),
    pause: () => (ws.isPaused = true),
    resume: () => (ws.isPaused = false),
    ping: vi.fn<() => void>(),
    close: vi.fn<(code: number, reason: string) => void>(),
    terminate: vi.fn<() => void>(),
  });
  const countReply = vi.fn<() => (() => void) | undefined>();
  const onWorldTime = vi.fn<(operation: string, seconds: number) => void>();
  const worldSeconds = {
    labels: (name: string) => ({ observe: (seconds: number) => onWorldTime(name, seconds) }),
  };
  const onThrottle = vi.fn<(socket: ClientSocket, stage: string) => void>();
  const socket = new ClientSocket(
    { ws, transport: { readable: true } } as unknown as SocketLink,
    'conn',
    { ...identity, world: { ...identity.world, ...changed.world } },
    createSocketContext({
      outbox: { cork: () => {} },
      replyBytes: { count: countReply },
      limits: { ...generousLimits, inflow, ...changed.limits },
      ...(changed.mayAct ? { mayAct: changed.mayAct } : {}),
      metrics: { worldSeconds } as unknown as SocketContext['metrics'],
      onThrottle,
    }),
  );
  return { socket, ws, sent, countReply, onWorldTime, onThrottle };
}
