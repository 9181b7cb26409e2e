import { createMemoryCluster } from '@tabletop-relay/cluster';
import type { Cluster } from '@tabletop-relay/cluster';
import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { onTestFinished, vi } from 'vitest';
import { createAdmission } from '../../../src/sockets/admission/admission.ts';
import type { Attempt } from '../../../src/sockets/admission/connection-log.ts';
import type { Visitor } from '../../../src/sockets/admission/visitor.ts';
import type { SocketLink } from '../../../src/sockets/client-socket.ts';
import type {
  ConnectionTokens,
  TokenPrincipal,
  TokenVerdict,
} from '../../../src/worlds/authenticate-token.ts';
import { noSockets } from '../../no-sockets.ts';
import { createSocketContext } from '../socket-context.ts';

const visitor = { clientId: 'client', address: '192.0.2.1', ipAddress: '192.0.2.1:1', world: {} } as Visitor;
const fingerprint = { worldId: 'world', systemId: '', origin: '' };
export const principal = {
  accountId: 'account',
  clientId: 'client',
  tokenId: 'token',
  fingerprint,
} as TokenPrincipal;
export const allowed: TokenVerdict = { ok: principal };

/** The admission of one instance to which one socket comes. */
export async function setUp(changed: {
  waitMs?: number;
  tokens?: Partial<ConnectionTokens>;
  directory?: Partial<Cluster['directory']>;
}) {
  const cluster = createMemoryCluster({ instanceId: 'test' });
  await cluster.start(noSockets);
  onTestFinished(() => cluster.stop());
  const draining = new AbortController();
  const attempts: Attempt[] = [];
  const arrivals = { expect: vi.fn<(conn: string) => void>(), settle: vi.fn<(conn: string) => void>() };
  const { admit, promote } = createAdmission({
    cluster: { ...cluster, directory: { ...cluster.directory, ...changed.directory } },
    arrivals,
    tokens: {
      verify: () => Promise.resolve(allowed),
      recheck: () => Promise.resolve(allowed),
      ...changed.tokens,
    },
    connectionLog: { record: (attempt) => void attempts.push(attempt) },
    sockets: createSocketContext(),
    gate: { width: 1, mostWaiting: 1, patienceMs: 60_000 },
    retries: { waitMs: changed.waitMs ?? 0, most: 1 },
    log: pino({ level: 'silent' }),
    draining: draining.signal,
  });
  const ws = Object.assign(new EventEmitter(), {
    readyState: 1,
    OPEN: 1,
    close: vi.fn<(code: number) => void>(),
  });
  const transport = { readable: true };
  const leave = () => {
    ws.readyState = 3;
    ws.emit('close');
  };
  const end = () => void (transport.readable = false);
  const auth = { token: 'token', declared: {} };
  const tryIt = (more = {}) =>
    admit({ ws, transport } as unknown as SocketLink, visitor, { ...auth, ...more });
  const owner = async () => (await cluster.directory.find(['client'])).get('client');
  return { cluster, draining, attempts, arrivals, ws, leave, end, tryIt, promote, owner };
}
