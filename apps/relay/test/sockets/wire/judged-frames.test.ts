import type { Streams } from '@tabletop-relay/cluster';
import { operations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, it, test, vi } from 'vitest';
import { createRelayMetrics } from '../../../src/metrics.ts';
import type { SocketLink } from '../../../src/sockets/client-socket.ts';
import type { LogFrame } from '../../../src/sockets/frames/frame-log.ts';
import { createFrameHandler } from '../../../src/sockets/frames/module-frames.ts';
import { followFrames, readLarge } from '../../../src/sockets/frames/wire/read-large.ts';
import { createWiredSocket } from '../wired-socket.ts';
import { createReceiver, cut, fragments, textFrame } from './sent-frames.ts';

const operation = operations[0] as Operation;
const largeFrameBytes = 3_000;
const maxEventBytes = 4_000;
const maxRequestBytes = 5_000;

function setUp() {
  const { socket, ws, sent } = createWiredSocket();
  const streams = {
    append: vi.fn<Streams['append']>(),
    appendGap: vi.fn<Streams['appendGap']>(),
    isWanted: vi.fn<Streams['isWanted']>().mockReturnValue(true),
  };
  const remoteRequests = {
    maxBytes: maxRequestBytes,
    receive: vi.fn<() => void>(),
    refuseLarge: vi.fn<(socket: unknown, requestId: string) => void>(),
  };
  const log = pino({ level: 'silent' });
  const registry = new Registry();
  const logFrame = vi.fn<LogFrame>();
  const handleFrame = createFrameHandler({
    log,
    logFrame,
    metrics: createRelayMetrics(registry),
    knownClients: () => Promise.resolve([]),
    remoteRequests,
    records: { audit: () => {}, countDropped: () => {} },
    streams,
    limits: {
      moduleNotify: { max: 2, windowMs: 60_000 },
      knownClients: { max: 1, windowMs: 60_000 },
      largeFrameBytes,
      maxEventBytes,
    },
  });
  const receiver = createReceiver({ maxPayload: 100_000 });
  const places = { count: vi.fn<(bytes: number) => void>(), end: vi.fn<() => void>() };
  const link = {
    ws: Object.assign(ws, { _receiver: receiver }),
    transport: { prependListener: () => {} },
  } as unknown as SocketLink;
  receiver.on('message', (data: Buffer) => link.ws.emit('message', data, false));
  const messages: Buffer[] = [];
  link.ws.on('message', (data: Buffer) => {
    messages.push(data);
    handleFrame(socket, data, false);
  });
  readLarge(
    followFrames(link.ws, { largeFrameBytes, maxFrameBytes: 100_000 }),
    { socket, link },
    { handleFrame, framePlaces: { arrivalsOf: () => places } },
  );
  /** Sends all of a message but its end, then `meanwhile`, then the end. */
  const receive = (message: string, meanwhile = () => {}) => {
    const bytes = textFrame(message);
    for (const chunk of cut(bytes.subarray(0, -1), 1_000)) receiver.write(chunk);
    meanwhile();
    receiver.write(Buffer.from(bytes.subarray(-1)));
  };
  const dropped = async () =>
    (await registry.getSingleMetric('relay_large_frames_dropped_total')?.get())?.values[0]?.value;
  return {
    socket,
    ws,
    sent,
    streams,
    remoteRequests,
    registry,
    receiver,
    places,
    messages,
    receive,
    dropped,
    logFrame,
  };
}

/** A text of JSON with so many bytes in all. */
const padded = (head: string, bytes: number, tail = '') =>
  `{${head},"pad":"${'x'.repeat(bytes - head.length - tail.length - 11)}"${tail}}`;
const ids = '"type":"players-result","requestId":"players_1"';

it('a large frame that names no call is counted at its end as one that was read, and never handled', async () => {
  const { socket, ws, messages, places, receive, dropped, logFrame } = setUp();
  socket.quietRounds = 5;
  const message = padded(ids, 50_000);
  let before: unknown[] = [];
  // A quarter of the burst is for such frames: 400,000 bytes, each of which counts twice.
  for (let sent = 0; sent < 4; sent++)
    receive(message, () => (before = [places.end.mock.calls.length, socket.quietRounds]));
  expect(before).toEqual([3, 0]);
  expect([messages, places.end.mock.calls.length, socket.quietRounds, ws.isPaused]).toEqual([
    [],
    4,
    0,
    false,
  ]);
  expect(await dropped()).toBe(4);
  expect(logFrame.mock.lastCall?.slice(1)).toEqual([
    { type: 'players-result', bytes: 50_000 },
    'large frame dropped: no call waits for it',
  ]);
  receive(padded(ids, 4_000));
  expect(ws.isPaused).toBe(true);
});

it.each([
  ['first', (id: string) => padded(`"type":"${operation.name}-result","requestId":"${id}"`, 50_000)],
  ['last', (id: string) => padded('"a":1', 50_000, `,"requestId":"${id}","type":"${operation.name}-result"`)],
  [
    'on both sides',
    (id: string) => padded(`"type":"${operation.name}-result"`, 50_000, `,"requestId":"${id}"`),
  ],
  [
    'on both sides, the id first',
    (id: string) => padded(`"requestId":"${id}"`, 50_000, `,"type":"${operation.name}-result"`),
  ],
])('a reply that is awaited arrives whole, where its names stand %s', async (_where, reply) => {
  const { socket, ws, sent, receive } = setUp();
  const { reply: answer } = socket.calls.ask(operation, '{}', 10_000);
  const message = reply(String(sent[0]?.['requestId']));
  receive(message);
  expect(String((await answer).body)).toBe(message);
  expect(ws.isPaused).toBe(false);
});

it('a reply whose id has not come is kept also where no call is open yet', async () => {
  const { socket, sent, receiver } = setUp();
  const head = Buffer.from(padded(`"type":"${operation.name}-result"`, 8_000).slice(0, -1));
  receiver.write(textFrame(String(head), { isLast: false }));
  const { reply } = socket.calls.ask(operation, '{}', 10_000);
  const rest = textFrame(`,"requestId":"${String(sent[0]?.['requestId'])}"}`);
  rest[0] = 0x80;
  receiver.write(rest);
  expect((await reply).body.subarray(0, head.length)).toEqual(head);
});

it('an event is kept where somebody listens, and dropped where nobody does when it begins', async () => {
  const { streams, messages, receive, dropped } = setUp();
  const event = padded('"type":"hook-event","data":{"hook":"updateActor"}', maxEventBytes);
  receive(event);
  expect([messages.length, streams.append.mock.calls.length]).toEqual([1, 1]);
  streams.isWanted.mockReturnValue(false);
  receive(event, () => streams.isWanted.mockReturnValue(true));
  expect([messages.length, streams.append.mock.calls.length, await dropped()]).toEqual([1, 1, 1]);
});

it.each([
  ['one frame', (message: string) => textFrame(message)],
  ['fragments', (message: string) => fragments(message, 700)],
])(
  'an event of %s that is too large is not kept, and its listeners are told of a gap',
  async (_what, write) => {
    const { streams, receiver, messages, registry, dropped, places } = setUp();
    const bytes = write(padded('"type":"hook-event","data":{"hook":"updateScene"}', maxEventBytes + 1));
    for (const chunk of cut(bytes, 1_000)) receiver.write(Buffer.from(chunk));
    expect([messages, streams.append.mock.calls, streams.appendGap.mock.calls]).toEqual([
      [],
      [],
      [['conn', 'hooks']],
    ]);
    expect(await registry.metrics()).toContain('{reason="too_large"} 1');
    expect([await dropped(), places.end.mock.calls.length]).toEqual([0, 1]);
  },
);

it('a request to another world is kept up to the size of a body, and a larger one is refused by its id', () => {
  const { remoteRequests, receive, messages } = setUp();
  const request = '"type":"remote-request","requestId":"r1"';
  receive(padded(request, maxRequestBytes));
  expect([remoteRequests.receive.mock.calls.length, messages.length]).toEqual([1, 1]);
  receive(padded(request, maxRequestBytes + 1));
  expect(remoteRequests.refuseLarge.mock.calls.map(([, id]) => id)).toEqual(['r1']);
  expect(messages).toHaveLength(1);
});

test.each([
  ['no head', '"a":1'],
  ['a type alone', '"type":"dance"'],
  ['an id alone', '"requestId":"players_1"'],
])('a frame whose first part has %s is judged when it is whole', async (_what, head) => {
  const { messages, receive } = setUp();
  receive(padded(head, 8_000));
  expect(messages).toHaveLength(1);
});

it('a small frame is handled however it comes', () => {
  const { sent, receiver } = setUp();
  for (const bytes of [
    textFrame(padded('"type":"ping"', 2_900)),
    fragments(padded('"type":"ping"', largeFrameBytes), 500),
  ])
    for (const chunk of cut(bytes, 600)) receiver.write(chunk);
  expect(sent).toEqual([{ type: 'pong' }, { type: 'pong' }]);
});

it('a bug in what follows a dropped frame closes its socket and nothing else', () => {
  const { ws, receive, logFrame } = setUp();
  logFrame.mockImplementation(() => {
    throw new Error('bug');
  });
  receive(padded(ids, 8_000));
  expect(ws.close.mock.calls[0]?.[0]).toBe(4000);
});
