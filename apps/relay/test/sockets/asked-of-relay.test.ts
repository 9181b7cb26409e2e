import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAnswerKnownClients } from '../../src/sockets/frames/answer-known-clients.ts';
import { createFrameLog } from '../../src/sockets/frames/frame-log.ts';
import type { ListKnownClients } from '../../src/worlds/known-clients.ts';
import { createWiredSocket } from './wired-socket.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const world = { worldTitle: 'The World', systemTitle: 'Dungeons', systemId: 'dnd5e', isOnline: true };
type Known = Awaited<ReturnType<ListKnownClients>>;

function setUp() {
  const { socket, sent } = createWiredSocket();
  const reads: PromiseWithResolvers<Known>[] = [];
  const knownClients = vi.fn<ListKnownClients>().mockImplementation(() => {
    const read = Promise.withResolvers<Known>();
    reads.push(read);
    return read.promise;
  });
  const answer = createAnswerKnownClients({
    knownClients,
    limits: { knownClients: { max: 2, windowMs: 60_000 } },
    log: pino({ level: 'silent' }),
  });
  const refusals: string[] = [];
  const ask = (requestId: string) => answer(socket, requestId, (code) => void refusals.push(code));
  return { sent, reads, knownClients, refusals, ask };
}

test('a module is told the worlds that its token reaches, and what it may do there', async () => {
  const { sent, reads, knownClients, refusals, ask } = setUp();
  const asked = ask('r1');
  const secret = { ipAddress: '192.0.2.1', accountId: 'account' };
  const clients = [
    { ...world, ...secret, clientId: 'a', customName: 'Table 1' },
    { ...world, ...secret, clientId: 'b', customName: '' },
  ];
  reads[0]?.resolve(clients as unknown as Known);
  await asked;
  expect(knownClients).toHaveBeenCalledExactlyOnceWith('account', ['client', 'target']);
  expect(sent).toEqual([
    {
      type: 'known-clients-result',
      requestId: 'r1',
      clients: [
        { ...world, clientId: 'a', customName: 'Table 1' },
        { ...world, clientId: 'b' },
      ],
      tokenScopes: [],
      tokenAllowedTargets: ['target'],
    },
  ]);
  expect(refusals).toEqual([]);
});

test('a module gets one list at a time, and so many in a window', async () => {
  const { sent, reads, refusals, ask } = setUp();
  const first = ask('r1');
  await ask('r2');
  expect(refusals).toEqual(['overloaded']);
  reads[0]?.resolve([]);
  await first;
  const second = ask('r3');
  reads[1]?.resolve([]);
  await second;
  await ask('r4');
  expect(refusals).toEqual(['overloaded', 'rate_limited']);
  expect(sent.map(({ requestId }) => requestId)).toEqual(['r1', 'r3']);
});

test('a list that cannot be read is refused, and the next is asked for', async () => {
  const { sent, reads, refusals, ask } = setUp();
  const first = ask('r1');
  reads[0]?.reject(new Error('Postgres is away'));
  await first;
  expect(refusals).toEqual(['unavailable']);
  const second = ask('r2');
  reads[1]?.resolve([]);
  await second;
  expect(sent).toHaveLength(1);
});

test('a socket has so many lines about its frames a minute, and the next says how many were left out', () => {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  const logFrame = createFrameLog(pino({ base: null }, { write }), 2);
  const [first, second] = [createWiredSocket().socket, createWiredSocket().socket];
  for (let frame = 0; frame < 5; frame++) logFrame(first, { type: 'x' }, 'frame refused');
  logFrame(second, {}, 'frame refused');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatchObject({ clientId: 'client', type: 'x', msg: 'frame refused' });
  expect(lines[0]).not.toHaveProperty('leftOut');
  vi.advanceTimersByTime(60_000);
  logFrame(first, {}, 'frame refused');
  logFrame(first, {}, 'frame refused');
  expect(lines.slice(3).map(({ leftOut }) => leftOut)).toEqual([3, undefined]);
});
