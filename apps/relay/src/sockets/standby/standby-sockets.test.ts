import { expect, it, vi } from 'vitest';
import type { ClientSocket } from '../client-socket.ts';
import { createStandbySockets } from './standby-sockets.ts';
import type { StandbySocketsDeps } from './standby-sockets.ts';

const identity = { clientId: 'client', accountId: 'account', principal: {} };

function setUp(connectedSince: number) {
  const presence = {
    clientId: 'client',
    accountId: 'account',
    moving: false,
    meta: JSON.stringify({ connectedSince }),
  };
  const find = vi.fn<() => Promise<unknown>>().mockResolvedValue(new Map([['client', presence]]));
  const promote = vi.fn<() => Promise<undefined>>().mockResolvedValue(undefined);
  const refuse = vi.fn<(socket: unknown, code: string) => void>();
  const count = { inc: () => {}, set: () => {}, labels: () => count };
  const standbys = createStandbySockets({
    cluster: { directory: { find }, standbys: { leave: () => {} }, instanceId: 'instance' },
    admission: { promote },
    connectionLog: { record: () => {} },
    refusals: { refuse },
    metrics: { standbyClients: count, promotions: count },
    log: { info: () => {}, error: () => {} },
    settings: { heartbeatMs: 20_000, shortestServiceMs: 5_000 },
    draining: new AbortController().signal,
  } as unknown as StandbySocketsDeps);
  const socket = {
    identity, conn: 'conn', isStandby: true, send: () => {}, probe: () => Promise.resolve(true), inflow: { countUnasked: () => {} },
  } as unknown as ClientSocket; // prettier-ignore
  const serve = vi.fn<(requestId?: string) => void>();
  standbys.add(socket, {} as Parameters<typeof standbys.add>[1], serve);
  const ask = (requestId: string) =>
    standbys.receive(socket, Buffer.from(JSON.stringify({ type: 'serve', requestId })), false);
  return { ask, find, refuse, serve };
}

it('a standby that asks to serve a thousand times at once has the store asked once, and serves', async () => {
  const { ask, find, refuse, serve } = setUp(Date.now() - 60_000);
  for (let count = 0; count < 1_000; count++) ask(`request-${count}`);
  await vi.waitFor(() => expect(serve).toHaveBeenCalledExactlyOnceWith('request-0'));
  expect(find).toHaveBeenCalledOnce();
  expect(refuse).toHaveBeenCalledTimes(999);
  expect(new Set(refuse.mock.calls.map(([, code]) => code))).toEqual(new Set(['overloaded']));
});

it('a browser that has only begun to serve is not replaced; one of an instance whose clock is ahead is', async () => {
  const fresh = setUp(Date.now() - 1_000);
  fresh.ask('fresh');
  await vi.waitFor(() => expect(fresh.refuse.mock.calls[0]?.[1]).toBe('rate_limited'));
  const ahead = setUp(Date.now() + 3_600_000);
  ahead.ask('ahead');
  await vi.waitFor(() => expect(ahead.serve).toHaveBeenCalledExactlyOnceWith('ahead'));
});
