import { expect, test } from 'vitest';
import { createTestBus, question, turn } from '../../../test/fakes/fake-bus.ts';
import { defaultBulkBounds } from '../bulk/bulk-bounds.ts';
import { readMessage } from '../../message.ts';

test('an owner whose reply overtook the look-up’s answer gets no cancel', async () => {
  const { bus, published, given, answerLookUp } = createTestBus();
  const call = bus.ask(question);
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
  const call = bus.ask(question);
  await turn();
  call.abandon();
  await expect(call.reply).rejects.toMatchObject({ reason: 'aborted', sent: true });
  answerLookUp();
  await turn();
  expect(published).toEqual([['publish', 'r:cmd:owner']]);
  bus.stop();
});

test('an owner that nobody knew is told that its large reply is awaited no more', async () => {
  const { bus, published, traffic } = createTestBus();
  const call = bus.ask(question);
  await turn();
  call.abandon();
  await expect(call.reply).rejects.toMatchObject({ reason: 'aborted', sent: true });
  expect(published).toEqual([]);
  bus.onAnswer(1, { kind: 'begin', head: {}, owner: 'elsewhere', bytes: 1_000_000 });
  expect([published, traffic.late]).toEqual([[['publish', 'r:cmd:elsewhere']], 1]);
  bus.stop();
});

test('a call whose way was broken has all its time again once its owner asked for another', async () => {
  const { bus, lookUps, answerLookUp } = createTestBus();
  lookUps.push(() => Promise.reject(new Error('no answer')));
  const call = bus.ask(question);
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
  const call = bus.ask(question);
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
  const calls = Array.from({ length: count }, () => bus.ask(question));
  await expect.poll(() => commands.length).toBe(count);
  for (const call of calls) call.abandon();
  await Promise.allSettled(calls.map(({ reply }) => reply));
  // Look-ups leave in several batches, and the last one knows of all calls.
  const last = commands.at(-1) ?? Buffer.alloc(0);
  expect(readMessage(last)).toMatchObject({ kind: 'call', inlineBytes });
  bus.stop();
});
