import type { Streams } from '@tabletop-relay/cluster';
import { operations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { vi } from 'vitest';
import { createRelayMetrics } from '../../../src/metrics.ts';
import type { AuditRecord } from '../../../src/records/audit-record.ts';
import { createFrameLog } from '../../../src/sockets/frames/frame-log.ts';
import { createFrameHandler } from '../../../src/sockets/frames/module-frames.ts';
import { createWiredSocket } from '../wired-socket.ts';

export const operation = operations[0] as Operation;
export const smallestLarge = 3_000;
export const maxEventBytes = 4_000;
export const maxFrameBytes = 2_000_000;

/** The socket of a world, and what becomes of its frames. */
export function createHandledFrames(largeFrameBytes = smallestLarge) {
  const { socket, ws, sent } = createWiredSocket();
  const audits: AuditRecord[] = [];
  const streams = {
    append: vi.fn<Streams['append']>(),
    appendGap: vi.fn<Streams['appendGap']>(),
    isWanted: vi.fn<Streams['isWanted']>().mockReturnValue(true),
  };
  const remoteRequests = {
    maxBytes: 5_000,
    receive: vi.fn<() => void>(),
    refuseLarge: vi.fn<(socket: unknown, requestId: string) => void>(),
  };
  const log = pino({ level: 'silent' });
  const knownClients = vi.fn<() => Promise<[]>>().mockResolvedValue([]);
  const registry = new Registry();
  const metrics = createRelayMetrics(registry);
  const handleFrame = createFrameHandler({
    log,
    logFrame: createFrameLog(log, 10),
    metrics,
    knownClients,
    remoteRequests,
    db: {} as Database,
    feed: { change: () => Promise.reject(new Error('Postgres is away')) },
    records: {
      audit: (record) => void audits.push(record),
      auditIn: () => Promise.resolve(),
      countDropped: () => {},
    },
    streams,
    limits: {
      moduleNotify: { max: 2, windowMs: 60_000 },
      knownClients: { max: 1, windowMs: 60_000 },
      largeFrameBytes,
      maxFrameBytes,
      maxEventBytes,
    },
  });
  const receiveText = (text: string) => handleFrame(socket, Buffer.from(text), false);
  /** A frame of so many bytes. */
  const receive = (frame: Record<string, unknown>, bytes = 0) => {
    const { length } = JSON.stringify({ ...frame, pad: '' });
    receiveText(JSON.stringify(bytes > 0 ? { ...frame, pad: 'x'.repeat(bytes - length) } : frame));
  };
  const receiveBinary = () => handleFrame(socket, Buffer.from('{"type":"ping"}'), true);
  return { socket, ws, sent, audits, streams, remoteRequests, registry, receive, receiveText, receiveBinary };
}
