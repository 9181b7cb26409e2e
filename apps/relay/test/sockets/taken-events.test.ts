import type { Streams } from '@tabletop-relay/cluster';
import { streamEvents } from '@tabletop-relay/contract';
import { Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { createRelayMetrics } from '../../src/metrics.ts';
import { channelOfFrame, createTakeEvent } from '../../src/sockets/frames/take-event.ts';
import { createWiredSocket } from './wired-socket.ts';

function setUp() {
  const { socket } = createWiredSocket();
  const streams = {
    append: vi.fn<Streams['append']>(),
    appendGap: vi.fn<Streams['appendGap']>(),
    isWanted: vi.fn<Streams['isWanted']>().mockReturnValue(true),
  };
  const refused: unknown[] = [];
  const registry = new Registry();
  const takeEvent = createTakeEvent({
    streams,
    metrics: createRelayMetrics(registry),
    refuse: (_socket, code, frame) => void refused.push({ code, ...frame }),
    now: () => 1_000,
  });
  const take = (frame: Record<string, unknown>, type = 'hook-event') => takeEvent(socket, type, frame);
  const tooLarge = () => takeEvent.tooLarge(socket, 'hooks');
  const appended = () => streams.append.mock.calls.map(([, , bytes]) => String(bytes));
  return { streams, refused, registry, take, tooLarge, appended };
}

test('an event reaches its channel with its name and data, and the relay’s facts are the relay’s', async () => {
  const { streams, registry, take, appended } = setUp();
  take({ data: { hook: 'updateActor', args: [1], clientId: 'forged', timestamp: 7 } });
  const facts = '"clientId":"client","channel":"hooks","timestamp":1000';
  expect(appended()).toEqual([`event: updateActor\ndata: {${facts},"hook":"updateActor","args":[1]}\n\n`]);
  expect(streams.append.mock.calls[0]?.slice(0, 2)).toEqual(['conn', 'hooks']);
  expect(streams.appendGap).not.toHaveBeenCalled();
  expect(await registry.metrics()).toContain('{channel="hooks"} 1');
});

test('an event that nobody listens to is dropped, also where it could not be taken', () => {
  const { streams, refused, take } = setUp();
  streams.isWanted.mockReturnValue(false);
  take({ data: { hook: 'updateActor' } });
  take({ data: 'nothing' });
  expect([streams.append.mock.calls, refused]).toEqual([[], []]);
  expect(streams.isWanted).toHaveBeenCalledWith('conn', 'hooks');
});

test('a frame that is no event of a channel takes none', () => {
  const { streams, take } = setUp();
  take({ data: { hook: 'updateActor' } }, 'ping');
  expect(streams.append).not.toHaveBeenCalled();
  expect([channelOfFrame(undefined), channelOfFrame('ping'), channelOfFrame('hook-event')]).toEqual([
    undefined,
    undefined,
    'hooks',
  ]);
});

test.each([
  [undefined],
  [null],
  ['text'],
  [['list']],
  [{}],
  [{ hook: 7 }],
  [{ hook: '' }],
  [{ hook: 'a\rb' }],
  [{ hook: 'a\nb' }],
  [{ hook: 'a\0b' }],
  [{ hook: 'x'.repeat(201) }],
  [{ hook: Object.keys(streamEvents)[0] }],
])('an event with the data %j is refused', (data) => {
  const { streams, refused, take } = setUp();
  take({ data });
  expect(refused).toEqual([{ code: 'bad_event', type: 'hook-event' }]);
  expect(streams.append).not.toHaveBeenCalled();
});

test('a name may have 200 characters', () => {
  const { take, appended } = setUp();
  take({ data: { hook: 'x'.repeat(200) } });
  expect(appended()).toHaveLength(1);
});

test('events that a module dropped are told before the next', async () => {
  const { streams, registry, take } = setUp();
  for (const dropped of [1, 1e9]) take({ data: { hook: 'h' }, dropped });
  expect(streams.appendGap.mock.calls).toEqual([
    ['conn', 'hooks', 1],
    ['conn', 'hooks', 1e9],
  ]);
  const [gapAt, eventAt] = [streams.appendGap, streams.append].map(({ mock }) => mock.invocationCallOrder[0]);
  expect(gapAt).toBeLessThan(eventAt ?? 0);
  expect(await registry.metrics()).toContain('{reason="module"} 1000000001');
});

test.each([0, -1, 1.5, 1e9 + 1, '3', null])('a number of dropped events of %j tells of none', (dropped) => {
  const { streams, take } = setUp();
  take({ data: { hook: 'h' }, dropped });
  expect([streams.append.mock.calls.length, streams.appendGap.mock.calls]).toEqual([1, []]);
});

test('an event that is too large leaves a gap in its channel', async () => {
  const { streams, registry, tooLarge } = setUp();
  tooLarge();
  expect(streams.appendGap.mock.calls).toEqual([['conn', 'hooks']]);
  expect(await registry.metrics()).toContain('{reason="too_large"} 1');
});
