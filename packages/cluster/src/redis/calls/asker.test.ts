import { describe, expect, it, test, vi } from 'vitest';
import { BusFailure, ClusterUnavailable } from '../../failures.ts';
import { aCall, createTestBus, turn } from '../../../test/fakes/fake-bus.ts';
import { defaultBulkBounds } from '../bulk-bounds.ts';
import { readMessage } from '../../message.ts';

test('an owner whose reply overtook the look-up’s answer gets no cancel', async () => {
  const { bus, published, given, answerLookUp } = createTestBus();
  const call = bus.start(aCall);
  await turn();
  expect(given).toEqual([]);
  bus.onAnswer(1, { kind: 'reply', head: {}, body: Buffer.from('y') });
  expect((await call.reply).body.toString()).toBe('y');
  bus.onAnswer(1, { kind: 'reply', head: {}, body: Buffer.from('late') });
  expect(given).toEqual([1]);
  answerLookUp();
  await turn();
  expect(published).toEqual([]);
  bus.stop();
});

test('an owner that is learnt of after the caller hung up gets a cancel', async () => {
  const { bus, published, answerLookUp } = createTestBus();
  const call = bus.start(aCall);
  await turn();
  call.hangUp();
  await expect(call.reply).rejects.toMatchObject({ reason: 'aborted', sent: true });
  answerLookUp();
  await turn();
  expect(published).toEqual([['publish', 'r:cmd:owner']]);
  bus.stop();
});

test('an owner that nobody knew is told that its large reply is awaited no more', async () => {
  const { bus, published, traffic } = createTestBus();
  const call = bus.start(aCall);
  await turn();
  call.hangUp();
  await expect(call.reply).rejects.toMatchObject({ reason: 'aborted', sent: true });
  expect(published).toEqual([]);
  bus.onAnswer(1, { kind: 'begin', head: {}, owner: 'elsewhere', bytes: 1_000_000 });
  expect([published, traffic.late]).toEqual([[['publish', 'r:cmd:elsewhere']], 1]);
  bus.stop();
});

test('a call whose way was broken has all its time again once its owner asked for another', async () => {
  const { bus, lookUps, answerLookUp } = createTestBus();
  lookUps.push(() => Promise.reject(new Error('no answer')));
  const call = bus.start(aCall);
  await turn();
  bus.onAnswer(1, { kind: 'not_mine' });
  answerLookUp();
  // Longer than the grace period of a call whose look-up was not answered.
  await new Promise((resolve) => setTimeout(resolve, 200));
  bus.onAnswer(1, { kind: 'reply', head: {}, body: Buffer.from('y') });
  expect((await call.reply).body.toString()).toBe('y');
  bus.stop();
});

test('a command ends no later where its asker was suspended before it looked the owner up again', async () => {
  const { bus, expiries, redis, answerLookUp } = createTestBus();
  redis.now = 50_000;
  const call = bus.start(aCall);
  await turn();
  // A renewal tells the time anew. Our own clock stood still meanwhile.
  redis.now = 52_500;
  bus.onAnswer(1, { kind: 'not_mine' });
  answerLookUp();
  await expect.poll(() => expiries).toEqual([expect.closeTo(60_000, -2), 60_000]);
  bus.onAnswer(1, { kind: 'reply', head: {}, body: Buffer.from('y') });
  await call.reply;
  bus.stop();
});

test.each([
  ['as much as one message may hold', 1, defaultBulkBounds.replyInlineBytes],
  ['its part of what all waiting calls may hold', 400, Math.floor((16 << 20) / 400)],
])('a reply comes in one message up to %s', async (_what, count, inlineBytes) => {
  const { bus, commands } = createTestBus();
  const calls = Array.from({ length: count }, () => bus.start(aCall));
  await expect.poll(() => commands.length).toBe(count);
  for (const call of calls) call.hangUp();
  await Promise.allSettled(calls.map(({ reply }) => reply));
  // Look-ups leave in several batches, and the last one knows of all calls.
  const last = commands.at(-1) ?? Buffer.alloc(0);
  expect(readMessage(last)).toMatchObject({ kind: 'call', inlineBytes });
  bus.stop();
});

type TestBus = ReturnType<typeof createTestBus>;

describe('a call is refused at once', () => {
  it.each<[string, (test: TestBus) => void]>([
    ['while Redis does not answer', ({ redis }) => (redis.isAnswering = false)],
    ['while the subscription is lost', ({ redis }) => (redis.isListening = false)],
    ['after the bus has stopped', ({ bus }) => bus.stop()],
    ['where no reply channel is free', ({ redis }) => (redis.hasChannels = false)],
  ])('%s, and nothing is sent', async (_when, prepare) => {
    const test = createTestBus();
    prepare(test);
    await expect(test.bus.start(aCall).reply).rejects.toMatchObject({ reason: 'unavailable', sent: false });
    await turn();
    expect(test.expiries).toEqual([]);
    expect(test.traffic.waiting()).toBe(0);
    test.bus.stop();
  });
});

describe('a call ends', () => {
  it.each([
    ['none', { reason: 'no_owner', sent: false }],
    ['lapsed gone', { reason: 'unavailable', sent: false, owner: 'gone' }],
    ['deaf gone', { reason: 'unavailable', sent: false, owner: 'gone' }],
    ['expired', { reason: 'unavailable', sent: false }],
  ])('as nothing was sent where the look-up says "%s"', async (answer, failure) => {
    const { bus, given, published, answerLookUp } = createTestBus();
    const call = bus.start(aCall);
    answerLookUp(answer);
    await expect(call.reply).rejects.toMatchObject(failure);
    expect(given).toEqual([1]);
    expect(published).toEqual([]);
    bus.stop();
  });

  it('as nothing was sent where Redis refuses the look-up', async () => {
    const { bus, lookUps } = createTestBus();
    lookUps.push(() => Promise.reject(new ClusterUnavailable('OOM')));
    await expect(bus.start(aCall).reply).rejects.toMatchObject({
      reason: 'unavailable',
      sent: false,
      message: 'Redis refused the look-up',
    });
    bus.stop();
  });

  it('as lost where the look-up was not answered and no reply comes', async () => {
    const { bus, lookUps, published } = createTestBus();
    lookUps.push(() => Promise.reject(new Error('no answer')));
    await expect(bus.start(aCall).reply).rejects.toMatchObject({ reason: 'lost', sent: true });
    // Nobody knows whom to tell.
    expect(published).toEqual([]);
    bus.stop();
  });

  it('as lost where its shard was away and no reply comes within the grace period', async () => {
    const { bus, shard, published, answerLookUp } = createTestBus();
    const call = bus.start(aCall);
    answerLookUp();
    await turn();
    bus.onGap(shard);
    await expect(call.reply).rejects.toMatchObject({ reason: 'lost', sent: true });
    expect(published).toContainEqual(['publish', 'r:cmd:owner']);
    bus.stop();
  });

  it('with its large reply that has begun, though its look-up was not answered and its shard was away', async () => {
    const { bus, shard, lookUps } = createTestBus();
    lookUps.push(() => Promise.reject(new Error('no answer')));
    const call = bus.start(aCall);
    await turn();
    bus.onAnswer(1, { kind: 'begin', head: {}, owner: 'owner', bytes: 3 });
    bus.onGap(shard);
    // Longer than the grace period.
    await new Promise((resolve) => setTimeout(resolve, 200));
    bus.onChunk(shard, { kind: 'chunk', callId: 1, offset: 0, body: Buffer.from('yes') });
    expect((await call.reply).body.toString()).toBe('yes');
    bus.stop();
  });

  it('after three owners that may not act for the client', async () => {
    const { bus, expiries, answerLookUp } = createTestBus();
    const call = bus.start(aCall);
    answerLookUp();
    for (const looks of [1, 2, 3]) {
      await expect.poll(() => expiries.length).toBe(looks);
      await turn();
      bus.onAnswer(1, { kind: 'not_mine' });
    }
    await expect(call.reply).rejects.toMatchObject({ reason: 'unavailable', sent: false });
    bus.stop();
  });

  it('with the failure that its owner tells', async () => {
    const { bus, answerLookUp } = createTestBus();
    const call = bus.start(aCall);
    answerLookUp();
    await turn();
    const failure = new BusFailure('lost', true, 'the module left');
    bus.onAnswer(1, { kind: 'failed', failure });
    await expect(call.reply).rejects.toBe(failure);
    bus.stop();
  });

  it('when its time is over: as a time-out if it was sent, else as nothing sent', async () => {
    const sent = createTestBus();
    const inTime = sent.bus.start({ ...aCall, budgetMs: 500 });
    sent.answerLookUp();
    await expect(inTime.reply).rejects.toMatchObject({ reason: 'timeout', sent: true });
    expect(sent.published).toContainEqual(['publish', 'r:cmd:owner']);
    sent.bus.stop();
    const moving = createTestBus();
    moving.answerLookUp('moving');
    const notSent = moving.bus.start({ ...aCall, budgetMs: 30 });
    await expect(notSent.reply).rejects.toMatchObject({ reason: 'unavailable', sent: false });
    moving.bus.stop();
  });

  it('when its caller hangs up, and once', async () => {
    const early = createTestBus();
    const unsent = early.bus.start(aCall);
    unsent.hangUp();
    await expect(unsent.reply).rejects.toMatchObject({ reason: 'aborted', sent: false });
    await turn();
    expect(early.expiries).toEqual([]);
    early.bus.stop();

    const late = createTestBus();
    const answered = late.bus.start(aCall);
    late.answerLookUp();
    await turn();
    late.bus.onAnswer(1, { kind: 'reply', head: {}, body: Buffer.from('y') });
    await answered.reply;
    answered.hangUp();
    expect(late.published).toEqual([]);
    late.bus.stop();
  });

  it('when the bus stops: as lost if it was sent, else as nothing sent', async () => {
    const { bus } = createTestBus();
    const sent = bus.start(aCall);
    await turn();
    const notSent = bus.start(aCall);
    bus.stop();
    await expect(sent.reply).rejects.toMatchObject({ reason: 'lost', sent: true });
    await expect(notSent.reply).rejects.toMatchObject({ reason: 'unavailable', sent: false });
  });
});

describe('answers that no call waits for', () => {
  it('are counted as late, but those to probes are not', () => {
    const { bus, traffic } = createTestBus();
    for (const kind of ['alive', 'gone', 'not_mine'] as const) bus.onAnswer(7, { kind });
    bus.onAnswer(7, { kind: 'reply', head: {}, body: Buffer.from('y') });
    expect(traffic.late).toBe(2);
    bus.stop();
  });

  it('of a probe do not send a call anywhere else', async () => {
    const { bus, expiries, answerLookUp } = createTestBus();
    const call = bus.start(aCall);
    answerLookUp();
    await turn();
    bus.onAnswer(1, { kind: 'alive' });
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(expiries).toHaveLength(1);
    bus.onAnswer(1, { kind: 'reply', head: {}, body: Buffer.from('y') });
    await call.reply;
    bus.stop();
  });
});

describe('what is sent', () => {
  it('is counted', async () => {
    const { bus, traffic, answerLookUp } = createTestBus();
    const call = bus.start({ ...aCall, body: Buffer.alloc(30) });
    answerLookUp();
    await turn();
    expect(traffic.published.command).toEqual({ messages: 1, bytes: 30 });
    expect(traffic.waiting()).toBe(1);
    bus.onAnswer(1, { kind: 'reply', head: {}, body: Buffer.from('y') });
    await call.reply;
    expect(traffic).toMatchObject({ answered: 1, late: 0 });
    bus.stop();
  });

  it('ends no later where Redis’ clock was set back before the owner was looked up again', async () => {
    const { bus, expiries, redis, answerLookUp } = createTestBus();
    redis.now = 50_000;
    const call = bus.start(aCall);
    await turn();
    redis.now = 40_000;
    bus.onAnswer(1, { kind: 'not_mine' });
    answerLookUp();
    await expect.poll(() => expiries).toEqual([expect.closeTo(60_000, -2), expect.closeTo(50_000, -3)]);
    bus.onAnswer(1, { kind: 'reply', head: {}, body: Buffer.from('y') });
    await call.reply;
    bus.stop();
  });
});

describe('a call that is settled', () => {
  it('gives back its channel once, and the time since it was asked counts where it was answered', async () => {
    const { bus, given, traffic, answerLookUp } = createTestBus();
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    const call = bus.start(aCall);
    now.mockReturnValue(1_040);
    bus.onAnswer(1, { kind: 'reply', head: {}, body: Buffer.from('y') });
    bus.onAnswer(1, { kind: 'reply', head: {}, body: Buffer.from('y') });
    now.mockRestore();
    await call.reply;
    call.hangUp();
    expect(given).toEqual([1]);
    expect(traffic).toMatchObject({ answered: 1, answeredMs: 40, late: 1 });
    answerLookUp();
    const failed = bus.start(aCall);
    bus.onAnswer(2, { kind: 'failed', failure: new BusFailure('lost', true, 'gone') });
    await expect(failed.reply).rejects.toMatchObject({ reason: 'lost' });
    expect([given, traffic.answered]).toEqual([[1, 2], 1]);
    bus.stop();
  });
});
