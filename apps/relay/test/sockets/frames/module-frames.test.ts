import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHandledFrames, maxEventBytes, operation, smallestLarge } from './handled-frames.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a frame up to the size of a large one is parsed, and a larger one that nobody waits for is not', () => {
  const { sent, receive } = createHandledFrames();
  receive({ type: 'ping' }, smallestLarge);
  expect(sent).toEqual([{ type: 'pong' }]);
  receive({ type: 'ping' }, smallestLarge + 1);
  expect(sent).toHaveLength(1);
});

/** A quarter of the burst is for such frames: 400,000 bytes. */
test('a frame that no call waited for counts eight times, and a large one that is not parsed twice', () => {
  const { ws, receive } = createHandledFrames();
  for (let frame = 0; frame < 50; frame++) receive({ type: 'player-list' }, 1_000);
  expect(ws.isPaused).toBe(false);
  receive({ type: 'player-list' }, 1_000);
  expect(ws.isPaused).toBe(true);
  const large = createHandledFrames();
  for (let frame = 0; frame < 50; frame++) large.receive({ type: 'player-list' }, 4_000);
  expect(large.ws.isPaused).toBe(false);
  large.receive({ type: 'player-list' }, 4_000);
  expect(large.ws.isPaused).toBe(true);
});

test('a reply that a call waited for costs nothing, however large, and a late one counts', async () => {
  const { socket, ws, sent, registry, receive } = createHandledFrames();
  const reply = socket.calls.call(operation, '{}', 10_000);
  const answer = { type: `${operation.name}-result`, requestId: sent[0]?.['requestId'] };
  receive(answer, 500_000);
  expect(ws.isPaused).toBe(false);
  expect((await reply).body).toHaveLength(500_000);
  for (let late = 0; late < 51; late++) receive(answer, 1_000);
  expect(ws.isPaused).toBe(true);
  expect(await registry.metrics()).toMatch(/^relay_\w*replies_dropped\w* 51$/m);
});

test('a reply that is no JSON holds nothing up, however large, and is not counted towards the end', async () => {
  const { socket, ws, sent, receiveText } = createHandledFrames();
  for (let broken = 0; broken < 20; broken++) {
    const reply = socket.calls.call(operation, '{}', 10_000);
    receiveText(`{"requestId":"${String(sent.at(-1)?.['requestId'])}","data":"${'x'.repeat(100_000)}`);
    // oxlint-disable-next-line no-await-in-loop -- One after the other.
    await expect(reply).rejects.toMatchObject({ code: 'client_bad_reply' });
  }
  expect([ws.isPaused, ws.close.mock.calls.length]).toEqual([false, 0]);
});

test('an event above its size is not parsed, and its listeners are told of a gap', () => {
  const { streams, receive } = createHandledFrames();
  const event = { type: 'hook-event', data: { hook: 'updateActor' } };
  receive(event, maxEventBytes);
  expect([streams.append.mock.calls.length, streams.appendGap.mock.calls]).toEqual([1, []]);
  receive(event, maxEventBytes + 1);
  expect([streams.append.mock.calls.length, streams.appendGap.mock.calls]).toEqual([1, [['conn', 'hooks']]]);
});

test('a binary frame closes the socket', () => {
  const { ws, sent, receiveBinary } = createHandledFrames();
  receiveBinary();
  expect([ws.close.mock.calls[0]?.[0], sent]).toEqual([1003, []]);
});

test.each(['{"type":7}', '[]', 'no JSON'])(
  '%s is answered with an error, and ten in a minute close the socket',
  (text) => {
    const { ws, sent, receiveText } = createHandledFrames();
    for (let frame = 0; frame < 9; frame++) receiveText(text);
    expect(sent).toHaveLength(9);
    expect(sent[0]).toMatchObject({ type: 'error', code: 'bad_frame' });
    vi.advanceTimersByTime(60_000);
    expect(ws.close).not.toHaveBeenCalled();
    receiveText(text);
    expect(ws.close.mock.calls[0]?.[0]).toBe(4000);
  },
);

test('frames that cannot be read are counted anew after a minute', () => {
  const { ws, receiveText } = createHandledFrames();
  for (let frame = 0; frame < 9; frame++) receiveText('no JSON');
  vi.advanceTimersByTime(60_001);
  for (let frame = 0; frame < 9; frame++) receiveText('no JSON');
  expect(ws.close).not.toHaveBeenCalled();
  receiveText('no JSON');
  expect(ws.close).toHaveBeenCalledOnce();
});

test.each([
  (id: string) => `{"requestId":"${id}","data":[broken`,
  (id: string) => `{"data":[broken,"requestId" \n: \t"${id}"}`,
])('a reply that is not JSON fails the call that it names at once', async (reply) => {
  const { socket, sent, receiveText } = createHandledFrames();
  const asked = socket.calls.call(operation, '{}', 10_000);
  const requestId = String(sent[0]?.['requestId']);
  receiveText(reply(requestId));
  await expect(asked).rejects.toMatchObject({ code: 'client_bad_reply', fields: { requestId } });
  expect(sent[1]).toMatchObject({ type: 'error', code: 'bad_frame', requestId });
  expect(socket.calls.size).toBe(0);
});

test('a notice is recorded with its beginning, and what is above the rate is refused once', () => {
  const { audits, sent, receive } = createHandledFrames();
  receive({ type: 'module-notify', event: 'x'.repeat(200), details: { a: 1 }, actor: 'gm' });
  expect(audits).toEqual([
    {
      event: `module.${'x'.repeat(100)}`,
      accountId: 'account',
      actor: 'token',
      clientId: 'client',
      subjectId: 'token',
      ipAddress: '192.0.2.1',
      detail: { details: { a: 1 }, actor: 'gm' },
    },
  ]);
  for (let notice = 0; notice < 3; notice++) receive({ type: 'module-notify', event: 'e', requestId: 'r' });
  expect(audits).toHaveLength(2);
  expect(sent).toEqual([expect.objectContaining({ type: 'error', code: 'rate_limited', requestId: 'r' })]);
});

test('a detail of a notice is kept as it was up to 2,000 characters, and longer ones as the begin of their text', () => {
  const { audits, receive } = createHandledFrames();
  const [longest, longer] = ['x'.repeat(1_998), 'x'.repeat(1_999)];
  receive({ type: 'module-notify', event: 'e', details: longest, actor: null });
  receive({ type: 'module-notify', event: 'e', details: longer, actor: { 'a\0b': 1 } });
  expect(audits.map(({ detail }) => detail)).toEqual([
    { details: longest },
    { details: `"${longer}`, actor: { 'a\0b': 1 } },
  ]);
});

test('a frame that nobody knows is refused, with its id where it has one, and counted', async () => {
  const { sent, receive, registry } = createHandledFrames();
  receive({ type: 'nonsense', requestId: 'r' });
  receive({ type: 'auth', token: 'x' });
  receive({ type: 'player-list', players: [] });
  expect(sent).toEqual([
    expect.objectContaining({ type: 'error', code: 'unknown_frame', requestId: 'r' }),
    expect.objectContaining({ type: 'error', code: 'already_authenticated' }),
  ]);
  expect(sent[1]).not.toHaveProperty('requestId');
  expect(await registry.metrics()).toMatch(/^relay_frames_refused_total\{code="unknown_frame"\} 1$/m);
});

test('a large frame that asks another world is passed on whole, and above its own bound refused unread', () => {
  const { receive, remoteRequests, socket } = createHandledFrames();
  receive({ type: 'remote-request', requestId: 'r1' }, 5_000);
  expect(remoteRequests.receive).toHaveBeenCalledTimes(1);
  receive({ type: 'remote-request', requestId: 'r2' }, 5_001);
  expect(remoteRequests.receive).toHaveBeenCalledTimes(1);
  expect(remoteRequests.refuseLarge.mock.calls).toEqual([[socket, 'r2']]);
});
