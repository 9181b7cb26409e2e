import { BusFailure, createMemoryCluster } from '@tabletop-relay/cluster';
import { operations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { ClientSocket } from '../sockets/client-socket.ts';
import type { SocketLink } from '../sockets/client-socket.ts';
import type { SocketIdentity } from '../worlds/socket-identity.ts';
import { createArrivals } from '../sockets/arrivals.ts';
import type { Arrivals } from '../sockets/arrivals.ts';
import { createConnectedClients } from '../sockets/connected-clients.ts';
import { noPauses } from '../pauses/pauses.ts';
import { ProblemError } from '../problem.ts';
import { createRouter } from './router.ts';
import { createTellCaller } from './command.ts';
import { noSockets } from '../../test/no-sockets.ts';
import { createSocketContext } from '../../test/sockets/socket-context.ts';

const operation = operations[0] as Operation;
const context = createSocketContext();
const claim = { clientId: 'world', conn: 'conn', accountId: 'account', meta: '' };
const caller = { accountId: 'account', pauses: noPauses };
const call = { operation, clientId: 'world', caller, fieldsJson: '{}' };

let sent: { requestId: string }[];
let socket: ClientSocket;
let directory: ReturnType<typeof createMemoryCluster>['directory'];
let cluster: ReturnType<typeof createMemoryCluster>;
let router: ReturnType<typeof createRouter>;
let arrivals: Arrivals;

beforeEach(async () => {
  sent = [];
  const ws = {
    readyState: 1,
    OPEN: 1,
    bufferedAmount: 0,
    send: (text: Buffer) => sent.push(JSON.parse(text.toString()) as (typeof sent)[number]),
  };
  const identity = { clientId: 'world', accountId: 'account', declared: {} } as unknown as SocketIdentity;
  socket = new ClientSocket(
    { ws, transport: { readable: true } } as unknown as SocketLink,
    'conn',
    identity,
    context,
  );
  const clients = createConnectedClients();
  clients.add(socket);
  arrivals = createArrivals(2);
  cluster = createMemoryCluster({ instanceId: 'test' });
  directory = cluster.directory;
  const explainAbsence = (accountId: string, clientId: string) =>
    Promise.resolve(new ProblemError('client_not_found', `No ${clientId} of ${accountId}.`));
  router = createRouter({
    tracing: undefined,
    tellCaller: createTellCaller(['a secret for tests']),
    cluster,
    clients,
    arrivals,
    operations,
    explainAbsence,
  });
  await cluster.start({ ...noSockets, deliver: router.deliver });
  await directory.claim(claim);
});

function answer(text: string): void {
  const frame = { type: `${operation.name}-result`, requestId: sent.at(-1)?.requestId };
  socket.calls.receiveReply(frame, Buffer.from(text));
}

test('a call to a world of this instance goes down its socket', async () => {
  const reply = router.call(call);
  answer('reply');
  expect(String((await reply).body)).toBe('reply');
});

test('a world of this instance gets no call while the instance has no authority to act for it', async () => {
  await directory.release('world', 'conn', 60_000);
  expect(directory.authority('world')).toBe('frozen');
  await expect(router.call(call)).rejects.toMatchObject({ code: 'unavailable' });
  expect(sent).toEqual([]);
});

test('a world of another account gets no call, and reads like one that does not exist', async () => {
  const reply = router.call({ ...call, caller: { ...caller, accountId: 'stranger' } });
  await expect(reply).rejects.toMatchObject({ code: 'client_not_found', message: 'No world of stranger.' });
  expect(sent).toEqual([]);
});

test('an error that is no failure of the bus reaches the caller as it is', async () => {
  const fault = new Error('a fault of ours');
  vi.spyOn(cluster.bus, 'call').mockRejectedValue(fault);
  await expect(router.call({ ...call, clientId: 'elsewhere' })).rejects.toBe(fault);
});

const coming = { ...claim, clientId: 'coming', conn: 'next' };

test('a call to a world whose socket is being let in waits for it, and goes down it once', async () => {
  arrivals.expect('next');
  await directory.claim(coming);
  const reply = router.call({ ...call, clientId: 'coming' });
  expect(sent).toEqual([]);
  arrivals.settle('next', socket);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  answer('reply');
  expect(String((await reply).body)).toBe('reply');
});

test('a call to a world whose socket is refused after all is not sent', async () => {
  arrivals.expect('next');
  await directory.claim(coming);
  const reply = router.call({ ...call, clientId: 'coming' });
  arrivals.settle('next');
  await expect(reply).rejects.toMatchObject({ code: 'unavailable' });
  expect(sent).toEqual([]);
});

test('a call that its caller gave up while it waited for a socket is never sent', async () => {
  arrivals.expect('next');
  await directory.claim(coming);
  const caller = new AbortController();
  const reply = router.call({ ...call, clientId: 'coming', signal: caller.signal });
  caller.abort();
  arrivals.settle('next', socket);
  await expect(reply).rejects.toMatchObject({ code: 'client_timeout' });
  expect(sent).toEqual([]);
});

test('a call to a world elsewhere goes over the bus, with time for the owner’s own time-out to arrive', async () => {
  const lost = new BusFailure('lost', true, 'the owner is gone');
  const asked = vi.spyOn(cluster.bus, 'call').mockRejectedValue(lost);
  const reply = router.call({ ...call, clientId: 'elsewhere', fieldsJson: '{"n":1}' });
  await expect(reply).rejects.toMatchObject({ code: 'client_lost', cause: lost });
  const expected = {
    clientId: 'elsewhere',
    accountId: 'account',
    head: { operation: operation.name },
    body: Buffer.from('{"n":1}'),
    budgetMs: operation.timeoutMs + 250,
  };
  expect(asked).toHaveBeenCalledExactlyOnceWith(expected, undefined);
});

const { signal } = new AbortController();
const received = {
  clientId: 'world',
  conn: 'conn',
  callId: 'call',
  head: { operation: operation.name, keyId: 'key' },
  body: Buffer.from('{}'),
};

test('a call from another instance may take what its asker waits, less the way of the answer', async () => {
  const sendDown = vi.spyOn(socket.calls, 'call');
  const late = await router.deliver({ ...received, budgetMs: 250 }, signal);
  expect(late.head).toMatchObject({ problem: { code: 'unavailable' } });
  const unknown = await router.deliver(
    { ...received, head: { operation: 'nothing' }, budgetMs: 1_000 },
    signal,
  );
  expect(unknown.head).toMatchObject({ problem: { code: 'unavailable' } });
  expect(sendDown).not.toHaveBeenCalled();
  void router.deliver({ ...received, budgetMs: 1_250 }, signal);
  expect(sendDown).toHaveBeenCalledExactlyOnceWith(
    operation,
    '{}',
    1_000,
    expect.objectContaining({ keyId: 'key', signal }),
  );
});

test('a call that waited for its socket has so much less time', async () => {
  const sendDown = vi.spyOn(socket.calls, 'call');
  arrivals.expect('next');
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  void router.deliver({ ...received, conn: 'next', budgetMs: 1_250 }, signal);
  now.mockReturnValue(1_400);
  arrivals.settle('next', socket);
  await vi.waitFor(() => expect(sendDown).toHaveBeenCalled());
  expect(sendDown).toHaveBeenCalledExactlyOnceWith(
    operation,
    '{}',
    600,
    expect.objectContaining({ keyId: 'key', signal }),
  );
  now.mockRestore();
});
