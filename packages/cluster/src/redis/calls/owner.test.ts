import { expect, it, vi } from 'vitest';
import { createFakeShard, claimOn, settle } from '../../../test/fakes/fake-shard.ts';
import type { Instance, ReceivedCall, Reply } from '../../cluster.ts';
import { BusFailure } from '../../failures.ts';
import { newBoot } from '../../ids.ts';
import { createClaims } from '../claims/claims.ts';
import type { RedisShard } from '../shard/shard.ts';
import { createTraffic } from '../traffic.ts';
import { readMessage, writeMessage } from '../../message.ts';
import { createOwner } from './owner.ts';
import type { Way } from './owner.ts';

const asker = newBoot();
const inlineBytes = 10;

/** A call as the ROUTE script joins it with others. */
function callMessage(callId: number, { body = '{}', epoch = 3, expiry = 1_000, isStored = false } = {}) {
  const address = { asker, callId, clientId: 'client', inlineBytes, expiry };
  const call = isStored
    ? writeMessage('call', { ...address, isStored, head: {} })
    : writeMessage('call', { ...address, head: { operation: 'roll' } }, Buffer.from(body));
  return writeMessage('calls', { calls: [{ epoch: String(epoch), bytes: call.length }] }, call);
}

const cancelMessage = (callId: number) => writeMessage('cancel', { asker, callId });

/** An instance that owns one client, and what it was asked and has answered. */
function setUp() {
  const fake = createFakeShard();
  const claims = createClaims();
  claims.owned.set('client', claimOn(fake, 'conn'));
  const asked: {
    call: ReceivedCall;
    answer: PromiseWithResolvers<Reply>;
    signal: AbortSignal;
  }[] = [];
  const fetches: PromiseWithResolvers<Buffer | null>[] = [];
  const sent = vi.fn<(to: unknown, answer: { kind: string }, onEnd?: () => void) => void>();
  const outgoing = {
    send: vi.fn<() => void>(),
    onCredit: vi.fn<() => void>(),
    cancel: vi.fn<() => void>(),
    stop: () => {},
  };
  const bulk = {
    send: () => {
      const fetched = Promise.withResolvers<Buffer | null>();
      fetches.push(fetched);
      return fetched.promise;
    },
  };
  const lease = { ...fake.shard.lease, redisNow: () => 400 };
  const shard = { ...fake.shard, lease, bulk };
  const releaseStale = vi.fn<(clientId: string) => void>();
  const check = vi.fn<() => Promise<'alive'>>().mockResolvedValue('alive');
  const instance = {
    deliver: (call: ReceivedCall, signal: AbortSignal) => {
      const answer = Promise.withResolvers<Reply>();
      asked.push({ call, answer, signal });
      return answer.promise;
    },
    evict: vi.fn<() => void>(),
    promote: vi.fn<() => void>(),
  };
  const traffic = createTraffic();
  const way = { outbox: { send: sent, stop: () => {} }, outgoing } as unknown as Way;
  const owner = createOwner({
    ways: new Map([[shard as unknown as RedisShard, way]]),
    claims,
    claimCheck: { check, releaseStale },
    standbys: { onVacant: () => {}, giveUp: () => Promise.resolve(false) },
    instance: () => instance as unknown as Instance,
    onListeners: () => {},
    traffic,
  });
  return {
    fake, claims, asked, fetches, sent, outgoing, releaseStale, check, traffic,
    stop: () => owner.stop(),
    receive: (...messages: Buffer[]) => {
      for (const message of messages) owner.onMessage(shard as unknown as RedisShard, readMessage(message)!);
    },
    answers: () => sent.mock.calls.map(([, answer]) => answer.kind),
  }; // prettier-ignore
}

const reply = (body: string, release?: () => void): Reply => ({
  head: {},
  body: Buffer.from(body),
  ...(release && { release }),
});

it('a call that is cancelled is found after many others came and went', async () => {
  const { receive, asked } = setUp();
  receive(callMessage(1));
  for (let callId = 2; callId <= 200; callId++) {
    receive(callMessage(callId));
    asked.at(-1)?.answer.resolve(reply('{}'));
    await settle();
  }
  receive(cancelMessage(200), cancelMessage(1));
  expect(asked.flatMap(({ signal }, index) => (signal.aborted ? [index] : []))).toEqual([0]);
});

it('a call is delivered with the time that it has left, and its reply sent; a large one goes in chunks', async () => {
  const { receive, asked, answers, outgoing, traffic } = setUp();
  receive(callMessage(1), callMessage(2));
  expect(asked.map(({ call }) => call)).toMatchObject([
    { clientId: 'client', conn: 'conn', callId: `${asker}:1`, head: { operation: 'roll' }, budgetMs: 600 },
    { callId: `${asker}:2` },
  ]);
  expect(traffic.received.command).toEqual({ messages: 2, bytes: 4 });
  asked[0]?.answer.resolve(reply('x'.repeat(inlineBytes)));
  await settle();
  expect([answers(), outgoing.send.mock.calls.length]).toEqual([['reply'], 0]);
  asked[1]?.answer.resolve(reply('x'.repeat(inlineBytes + 1)));
  await settle();
  expect([answers(), outgoing.send.mock.calls.length]).toEqual([['reply'], 1]);
});

it('a call that is late is dropped without a word', async () => {
  const { receive, asked, sent } = setUp();
  receive(callMessage(1, { expiry: 400 }));
  await settle();
  expect([asked, sent.mock.calls]).toEqual([[], []]);
});

it('a call for an older claim is refused, and so is one while this instance may not act', async () => {
  const { receive, fake, asked, answers, releaseStale } = setUp();
  receive(callMessage(1, { epoch: 2 }));
  fake.state.term = 2;
  receive(callMessage(2), callMessage(3, { isStored: true }));
  await settle();
  expect([asked, answers()]).toEqual([[], ['not_mine', 'not_mine', 'not_mine']]);
  expect(releaseStale).not.toHaveBeenCalled();
});

it('a call for a client that is not here is refused, and its claim looked at', async () => {
  const { receive, claims, answers, releaseStale } = setUp();
  claims.owned.clear();
  receive(callMessage(1));
  await settle();
  expect(answers()).toEqual(['not_mine']);
  expect(releaseStale.mock.calls).toEqual([['client']]);
});

it('a failure is told as what it was, or as a loss', async () => {
  const { receive, asked, sent } = setUp();
  receive(callMessage(1), callMessage(2));
  const failure = new BusFailure('unavailable', false, 'busy');
  asked[0]?.answer.reject(failure);
  asked[1]?.answer.reject(new Error('a fault'));
  await settle();
  expect(sent.mock.calls.map(([, answer]) => answer)).toMatchObject([
    { kind: 'failed', failure },
    { kind: 'failed', failure: { reason: 'lost', sent: true } },
  ]);
});

it('a call that its asker cancels is abandoned; what comes of it is released and not sent', async () => {
  const { receive, asked, sent, outgoing } = setUp();
  receive(callMessage(1), callMessage(2), cancelMessage(1), cancelMessage(2));
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(outgoing.cancel).toHaveBeenCalledTimes(2);
  const release = vi.fn<() => void>();
  asked[0]?.answer.resolve(reply('late', release));
  asked[1]?.answer.reject(new Error('late'));
  await settle();
  expect([sent.mock.calls.length, release.mock.calls.length]).toEqual([0, 1]);
});

it('a stored call is fetched and delivered, unless it was cancelled meanwhile, and said not to be there', async () => {
  const { receive, asked, fetches, answers, sent } = setUp();
  for (const callId of [1, 2, 3]) receive(callMessage(callId, { isStored: true }));
  receive(cancelMessage(2));
  fetches[0]?.resolve(Buffer.from('stored'));
  fetches[1]?.resolve(Buffer.from('nobody waits'));
  fetches[2]?.resolve(null);
  await settle();
  expect(asked.map(({ call }) => call.body.toString())).toEqual(['stored']);
  expect(answers()).toEqual(['failed']);
  expect(sent.mock.calls[0]?.[1]).toMatchObject({ failure: { reason: 'unavailable', sent: false } });
});

it('probes are answered, and credits passed on', async () => {
  const { receive, answers, outgoing, check } = setUp();
  receive(writeMessage('probe', { asker, callId: 1, clientId: 'client', conn: 'conn' }));
  receive(writeMessage('credit', { asker, callId: 2, channel: 1, upTo: 5 }));
  await settle();
  expect(answers()).toEqual(['alive']);
  expect(outgoing.onCredit).toHaveBeenCalledTimes(1);
  check.mockRejectedValueOnce(new Error('no Redis'));
  receive(writeMessage('probe', { asker, callId: 3, clientId: 'client', conn: 'conn' }));
  await settle();
  expect(answers()).toEqual(['alive']);
});

it('what runs is abandoned when the instance stops', () => {
  const { receive, asked, stop } = setUp();
  receive(callMessage(1));
  stop();
  expect(asked[0]?.signal.aborted).toBe(true);
});
