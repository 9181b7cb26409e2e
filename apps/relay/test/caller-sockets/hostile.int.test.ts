import type { FakeModule } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { connectCaller, openCaller } from './caller.ts';
import type { Caller } from './caller.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let key: string;
let pairing: Pairing;
let module: FakeModule;
const sent: Record<string, unknown>[] = [];
let answer: object | undefined = { data: {} };

const settings = {
  streamsPerKey: 1_000,
  streamsPerAccount: 1_000,
  callsPerMinute: 150,
  requestBytesPerKey: 300_000,
};

beforeAll(async () => {
  cluster = await startInstances({ config: settings });
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  key = await account.createKey();
  pairing = await account.pair();
  module = await connectModule(url, pairing, (command) => {
    sent.push(command);
    return answer;
  });
});
afterAll(async () => {
  await module.close();
  await cluster.stop();
});

const at = (clientId = pairing.clientId) => ({ query: `?clientId=${clientId}` });
/** Whether the relay still reads what comes, and answers. */
const isRead = ({ ws, closed }: Caller): Promise<boolean> => {
  const pong = new Promise<boolean>((resolve) => ws.once('pong', () => resolve(true)));
  ws.ping('still there?', true, () => {});
  return Promise.race([pong, closed.then(() => false)]);
};

/** Sends parts of one message that never ends, each when the ping before it was answered. */
async function sendParts(caller: Caller, bytes: number): Promise<void> {
  const part = Buffer.alloc(16 * 1024, 'x');
  for (let sentBytes = 0; sentBytes < bytes; sentBytes += part.length) {
    caller.ws.send(part, { fin: false, binary: false }, () => {});
    if (!(await isRead(caller))) return;
  }
}

describe('a socket holds no more than its bounds', () => {
  it.each([
    ['a stranger’s', 128 * 1024, () => openCaller(url)],
    ['that of a key', 1024 * 1024, () => connectCaller(url, key)],
  ])('of a message that pings interrupt: %s', async (_whose, bytes, open) => {
    const caller = await open();
    await sendParts(caller, bytes);
    expect(await isRead(caller)).toBe(false);
  });

  it('of messages of another kind that cannot be used, or that its key may not make now', async () => {
    const unread = await connectCaller(url, key);
    for (let count = 0; count < 62; count++) unread.send({ type: 'subscribe', channel: 'tea' });
    expect(await unread.closed).toMatchObject({ code: 4400 });
    const other = await account.createKey();
    const refused = await connectCaller(url, other);
    for (let count = 0; count < 2_000; count++) refused.send({ type: 'players', requestId: `r${count}` });
    expect(await refused.closed).toMatchObject({ code: 4429 });
  });
});

it('strangers of one address leave room for others, and for whoever sends its key in the head', async () => {
  const strict = await startInstances({ config: { strangersAtOnce: 16 } });
  const [{ url: strictUrl }] = strict.instances;
  const strangers = [await openCaller(strictUrl), await openCaller(strictUrl)];
  await expect(openCaller(strictUrl)).rejects.toMatchObject({ status: 503 });
  const owner = await createAccount(strictUrl);
  const known = await openCaller(strictUrl, { headers: { 'x-api-key': await owner.createKey() } });
  expect(await known.next()).toMatchObject({ type: 'connected' });
  for (const caller of [...strangers, known]) await caller.close();
  await strict.stop();
});

describe('a subscription', () => {
  it('is of the world that the address names, also where the message names none by null', async () => {
    const away = await account.pair();
    const caller = await connectCaller(url, key, at(away.clientId));
    expect(await caller.ask({ type: 'subscribe', channel: 'chat', clientId: null })).toMatchObject({
      type: 'subscribed',
      clientId: away.clientId,
    });
    await caller.close();
  });

  it('is left by its whole name, and by a text alone', async () => {
    const caller = await connectCaller(url, key, at());
    const subscriptionId = 'n'.repeat(128);
    await caller.ask({ type: 'subscribe', channel: 'chat', subscriptionId });
    expect(await caller.ask({ type: 'unsubscribe', subscriptionId: 7 })).toMatchObject({
      problem: { code: 'invalid_request', errors: [{ field: 'subscriptionId' }] },
    });
    expect(await caller.ask({ type: 'unsubscribe', subscriptionId })).toMatchObject({
      type: 'unsubscribed',
      subscriptionId,
    });
    await caller.close();
  });
});

it('an answer is no failure where its world says `error` of nothing', async () => {
  const caller = await connectCaller(url, key, at());
  answer = { data: {}, error: null, problem: { code: 'key_invalid' } };
  const told = await caller.ask({ type: 'players' });
  answer = { data: {} };
  expect(Object.keys(told).toSorted()).toEqual(['clientId', 'data', 'requestId', 'type']);
  await caller.close();
});

it('large calls count as those of HTTP do', async () => {
  const caller = await connectCaller(url, key, at());
  const large = (requestId: string) =>
    caller.send(
      JSON.stringify({ type: 'skill-check', requestId, actorUuid: 'Actor.a', skill: 'prc' }).padEnd(200_000),
    );
  sent.length = 0;
  answer = undefined;
  large('first');
  await expect.poll(() => sent.length).toBe(1);
  large('second');
  expect(await caller.next('skill-check-result')).toMatchObject({
    requestId: 'second',
    problem: { code: 'overloaded', outcome: 'not_sent' },
  });
  answer = { data: {} };
  module.send({ type: 'skill-check-result', requestId: sent[0]?.['requestId'], data: {} });
  expect(await caller.next('skill-check-result')).toMatchObject({ requestId: 'first' });
  large('third');
  expect(await caller.next('skill-check-result')).not.toHaveProperty('error');
  await caller.close();
});

it('a call that is cancelled at once never reaches its world', async () => {
  const caller = await connectCaller(url, key, at());
  sent.length = 0;
  caller.send({ type: 'next-turn', requestId: 'mine' });
  caller.send({ type: 'cancel', requestId: 'mine' });
  expect(await caller.next('next-turn-result')).toMatchObject({ problem: { code: 'client_timeout' } });
  expect(sent).toEqual([]);
  await caller.close();
});
