import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startRelay } from '../../test/relay-server.ts';
import type { RelayServer } from '../../test/relay-server.ts';
import { makeModule } from '../../test/fixtures.ts';
import { OperationRefused } from '../index.ts';
import type { CommandContext, Handlers, TabletopModule, TraceCommand } from '../index.ts';

let relay: RelayServer;
let module: TabletopModule;
let errors: unknown[];

beforeEach(async () => void (relay = await startRelay()));
afterEach(async () => {
  module.close();
  await relay.close();
});

async function connect(handlers: Handlers, trace?: TraceCommand) {
  ({ module, errors } = makeModule(relay.url, { handlers, ...(trace && { trace }) }));
  await module.connect();
  return relay.nextPeer();
}

const roll = (actorUuid: string, total: number) => ({
  data: { actorUuid, skill: 'prc', total, formula: '1d20', result: `${total}` },
});

test('a command is answered with its handler’s result, type and request id', async () => {
  let seen: CommandContext | undefined;
  const peer = await connect({
    'skill-check'(parameters, context) {
      seen = context;
      expect(parameters).toEqual({ actorUuid: 'Actor.a', skill: 'prc' });
      return { ...roll(parameters.actorUuid, 12), type: 'another', requestId: 'another' };
    },
  });
  peer.send({ type: 'skill-check', requestId: 's_1', userId: 'gm', actorUuid: 'Actor.a', skill: 'prc' });
  expect(await peer.frame({ requestId: 's_1' })).toEqual({
    type: 'skill-check-result',
    requestId: 's_1',
    ...roll('Actor.a', 12),
  });
  expect(seen).toMatchObject({ requestId: 's_1', userId: 'gm' });
  expect(errors).toEqual([]);
});

test('type, request id and error stand first in an answer, wherever the handler has them', async () => {
  const peer = await connect({
    players: () => ({ users: [], error: 'not now', requestId: 'another' }) as object as { users: [] },
  });
  peer.send({ type: 'players', requestId: 'p_1' });
  expect(Object.keys(await peer.frame({ requestId: 'p_1' }))).toEqual([
    'type',
    'requestId',
    'error',
    'users',
  ]);
});

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('a traced command’s traceparent stands in the context, and the rest is as ever', async () => {
  const seen: [parameters: object, traceparent: string | undefined][] = [];
  const players: Handlers['players'] = (parameters, context) => {
    seen.push([parameters, context.traceparent]);
    return { users: [] };
  };
  const peer = await connect({ players });
  const given = [traceparent, undefined, 'nonsense', { no: 'text' }];
  for (const [index, value] of given.entries())
    peer.send({ type: 'players', requestId: `p_${index}`, traceparent: value });
  for (const index of given.keys()) await peer.frame({ requestId: `p_${index}` });
  expect(seen).toEqual([traceparent, undefined, undefined, undefined].map((value) => [{}, value]));
});

test('what runs around traced commands sees how each ends, and only those', async () => {
  const seen: unknown[] = [];
  const trace: TraceCommand = async (command, run) => {
    const result = await run().catch((error: unknown) => error);
    seen.push([command, result]);
    if (result instanceof Error) throw result;
    return result as object;
  };
  const refused = new OperationRefused('Not now', 'permission_denied');
  const peer = await connect(
    { players: () => ({ users: [] }), encounters: () => Promise.reject(refused) },
    trace,
  );
  peer.send({ type: 'players', requestId: 'untraced' });
  await peer.frame({ requestId: 'untraced' });
  peer.send({ type: 'players', requestId: 'p', traceparent });
  expect(await peer.frame({ requestId: 'p' })).toEqual({ type: 'players-result', requestId: 'p', users: [] });
  peer.send({ type: 'encounters', requestId: 'e', traceparent });
  expect(await peer.frame({ requestId: 'e' })).toMatchObject({ code: 'permission_denied' });
  expect(seen).toEqual([
    [{ name: 'players', traceparent }, { users: [] }],
    [{ name: 'encounters', traceparent }, refused],
  ]);
});

test('where what runs around a command fails, the command fails like its handler would', async () => {
  const trace = () => Promise.reject(new Error('no tracer'));
  const peer = await connect({ players: () => ({ users: [] }) }, trace);
  peer.send({ type: 'players', requestId: 'p', traceparent });
  expect(await peer.frame({ requestId: 'p' })).toMatchObject({ error: 'no tracer' });
  expect(errors).toHaveLength(1);
});

test.each(['players', 'toString', '__proto__', 'constructor'])(
  '%s without a handler is refused',
  async (type) => {
    const peer = await connect({});
    peer.socket.send(`{"type":"${type}","requestId":"r"}`);
    expect(await peer.frame({ requestId: 'r' })).toMatchObject({
      type: `${type}-result`,
      code: 'not_supported',
      error: expect.any(String),
    });
  },
);

test.each([
  [
    'a refusal',
    new OperationRefused('No such actor', 'entity_not_found'),
    'No such actor',
    'entity_not_found',
  ],
  ['a refusal without code', new OperationRefused('No'), 'No', undefined],
  ['an error', new TypeError('x is undefined'), 'x is undefined', undefined],
  ['a thrown string', 'boom', 'boom', undefined],
  ['a thrown nothing', undefined, 'undefined', undefined],
])('%s becomes an error reply without a stack', async (_, thrown, error, code) => {
  const peer = await connect({
    players() {
      throw thrown;
    },
  });
  peer.send({ type: 'players', requestId: 'p' });
  const reply = await peer.frame({ requestId: 'p' });
  expect(reply).toEqual({ type: 'players-result', requestId: 'p', error, ...(code && { code }) });
  expect(errors).toEqual(thrown instanceof OperationRefused ? [] : [thrown]);
});

test('a result that is not JSON becomes an error reply', async () => {
  const cyclic: { users: never[]; self?: unknown } = { users: [] };
  cyclic.self = cyclic;
  const peer = await connect({ players: () => cyclic });
  peer.send({ type: 'players', requestId: 'p' });
  expect(await peer.frame({ requestId: 'p' })).toMatchObject({ error: expect.stringContaining('JSON') });
  expect(errors).toEqual([expect.any(TypeError)]);
});

test('1,000 commands at once are answered to the right ids, in whatever order they end', async () => {
  const gate = Promise.withResolvers<void>();
  let started = 0;
  const peer = await connect({
    async 'skill-check'({ actorUuid }) {
      started += 1;
      const number = Number(actorUuid.slice(6));
      await gate.promise;
      for (let turns = number % 7; turns > 0; turns -= 1) await Promise.resolve();
      return roll(actorUuid, number);
    },
  });
  for (let n = 0; n < 1_000; n += 1) {
    peer.send({ type: 'skill-check', requestId: `s_${n}`, actorUuid: `Actor.${n}`, skill: 'prc' });
  }
  await vi.waitUntil(() => started === 1_000, 10_000);
  gate.resolve();
  await vi.waitUntil(() => peer.received.length === 1_000, 10_000);
  const totals = peer.received.map(({ requestId, data }) => [requestId, (data as { total: number }).total]);
  expect(new Map(totals as [string, number][])).toEqual(
    new Map(Array.from({ length: 1_000 }, (_, n) => [`s_${n}`, n])),
  );
});

function slow() {
  const runs: { signal: AbortSignal; finish: () => void }[] = [];
  const handlers: Handlers = {
    async players(_, { signal }) {
      await new Promise<void>((finish) => runs.push({ signal, finish }));
      return { users: [] };
    },
    encounters: () => ({ encounters: [] }),
  };
  return { runs, handlers };
}

test('a cancelled command is aborted and its answer dropped', async () => {
  const { runs, handlers } = slow();
  const peer = await connect(handlers);
  peer.send({ type: 'players', requestId: 'p' });
  peer.send({ type: 'cancel', requestId: 'p' });
  await vi.waitUntil(() => runs[0]?.signal.aborted, 10_000);
  runs[0]?.finish();
  peer.send({ type: 'encounters', requestId: 'after' });
  await peer.frame({ requestId: 'after' });
  expect(peer.received).toHaveLength(1);
});

test('a command sent twice under one id runs once', async () => {
  const { runs, handlers } = slow();
  const peer = await connect(handlers);
  peer.send({ type: 'players', requestId: 'p' });
  peer.send({ type: 'players', requestId: 'p' });
  peer.send({ type: 'encounters', requestId: 'after' });
  await peer.frame({ requestId: 'after' });
  expect(runs).toHaveLength(1);
});

test('an answer never goes up another socket than its command came down', async () => {
  const { runs, handlers } = slow();
  const first = await connect(handlers);
  first.send({ type: 'players', requestId: 'p' });
  await vi.waitUntil(() => runs.length === 1, 10_000);
  first.socket.terminate();
  const second = await relay.nextPeer();
  expect(runs[0]?.signal.aborted).toBe(true);
  runs[0]?.finish();
  second.send({ type: 'encounters', requestId: 'after' });
  await second.frame({ requestId: 'after' });
  expect(second.received).toHaveLength(1);
});

test('a command with a key runs on when its connection ends, and its repeat on the next socket gets its answer', async () => {
  const { runs, handlers } = slow();
  const first = await connect(handlers);
  const idempotency = { key: 'k', reservedAt: 1, isRepeat: false };
  first.send({ type: 'players', requestId: 'p', idempotency });
  await vi.waitUntil(() => runs.length === 1, 10_000);
  first.send({ type: 'cancel', requestId: 'p' });
  first.socket.terminate();
  const second = await relay.nextPeer();
  second.send({ type: 'players', requestId: 'again', idempotency: { ...idempotency, isRepeat: true } });
  second.send({ type: 'encounters', requestId: 'after' });
  await second.frame({ requestId: 'after' });
  expect(runs[0]?.signal.aborted).toBe(false);
  runs[0]?.finish();
  expect(await second.frame({ requestId: 'again' })).toEqual({
    type: 'players-result',
    requestId: 'again',
    users: [],
  });
  expect(runs).toHaveLength(1);
  second.send({ type: 'players', requestId: 'other', idempotency: { ...idempotency, key: 'other' } });
  await vi.waitUntil(() => runs.length === 2, 10_000);
  module.close();
  expect(runs[1]?.signal.aborted).toBe(true);
});

test.each([null, 'k', {}, { key: 1, reservedAt: 1 }, { key: 'k' }])(
  'a key that cannot be read, %j, is none',
  async (idempotency) => {
    const players = vi.fn<() => { users: [] }>(() => ({ users: [] }));
    const peer = await connect({ players });
    for (const requestId of ['a', 'b']) peer.send({ type: 'players', requestId, idempotency });
    await peer.frame({ requestId: 'b' });
    expect(players.mock.calls).toEqual([
      [{}, expect.anything()],
      [{}, expect.anything()],
    ]);
  },
);

test('a command before the relay has let the module in is not run', async () => {
  const players = vi.fn<() => { users: [] }>();
  relay.admit = (peer) => {
    peer.send({ type: 'players', requestId: 'early' });
    return 'welcome';
  };
  const peer = await connect({ players, encounters: () => ({ encounters: [] }) });
  peer.send({ type: 'encounters', requestId: 'after' });
  await peer.frame({ requestId: 'after' });
  expect(players).not.toHaveBeenCalled();
});

test('closing aborts running handlers and sends nothing more', async () => {
  const { runs, handlers } = slow();
  const peer = await connect(handlers);
  peer.send({ type: 'players', requestId: 'p' });
  await vi.waitUntil(() => runs.length === 1, 10_000);
  const closed = new Promise<number>((resolve) => peer.socket.on('close', resolve));
  module.close();
  expect(runs[0]?.signal.aborted).toBe(true);
  runs[0]?.finish();
  expect(await closed).toBe(1000);
  expect(peer.received).toEqual([]);
});
