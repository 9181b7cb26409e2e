import type { FakeModule } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { connectCaller, openCaller } from './caller.ts';
import type { Caller, Told } from './caller.ts';

let two: TwoInstances;
let account: TestAccount;
let key: string;
let pairing: Pairing;
let module: FakeModule;
const sent: Record<string, unknown>[] = [];
const usual = () => ({ data: {} });
let answer: (command: Record<string, unknown>) => object | string | undefined = usual;

const settings = {
  streamsPerKey: 1_000, streamsPerAccount: 1_000, callsInFlightPerKey: 20, callerReadTimeoutMs: 500, heartbeatMs: 1_000,
}; // prettier-ignore

beforeAll(async () => {
  two = await startTwo('redis', { config: settings });
  account = await createAccount(two.first.url);
  key = await account.createKey();
  pairing = await account.pair();
  module = await connectModule(two.first.url, pairing, (command) => {
    sent.push(command);
    return answer(command);
  });
});
afterAll(async () => {
  await module.close();
  await two.stop();
});
beforeEach(() => {
  sent.length = 0;
  answer = usual;
});

const at = (query = `?clientId=${pairing.clientId}`) => ({ query });
const say = (id: string) =>
  module.send({
    type: 'chat-event',
    data: { eventType: 'create', data: { id, content: 'Hello', whisper: [] } },
  });
/** Until the module was told that somebody listens. */
const heardOf = (caller: Caller, id: string) =>
  expect.poll(() => (say(id), JSON.stringify(caller.told)), { timeout: 10_000 }).toContain(`"${id}"`);

describe('a key', () => {
  it.each([
    ['x-api-key', (value: string) => ({ 'x-api-key': value })],
    ['Authorization', (value: string) => ({ authorization: `Bearer ${value}` })],
  ])('may come as %s with the upgrade, and is refused by HTTP there', async (_name, headers) => {
    const caller = await openCaller(two.second.url, { headers: headers(key), ...at() });
    expect(await caller.next()).toMatchObject({ type: 'connected', clientId: pairing.clientId });
    await caller.close();
    const unknown = `${key.slice(0, -6)}AAAAAA`;
    await expect(openCaller(two.second.url, { headers: headers(unknown) })).rejects.toMatchObject({
      status: 401,
    });
  });

  it('comes first, and not in the address', async () => {
    await expect(openCaller(two.first.url, { query: `?token=${key}` })).rejects.toMatchObject({
      status: 400,
    });
    const caller = await openCaller(two.first.url);
    caller.send({ type: 'ping' });
    expect(await caller.closed).toMatchObject({ code: 4002 });
  });

  it('may be followed by messages at once', async () => {
    const caller = await openCaller(two.second.url, { token: key, ...at() });
    caller.send({ type: 'players', requestId: 'early' });
    caller.send({ type: 'ping', requestId: 'second' });
    await caller.next('connected');
    await expect
      .poll(() => caller.told.map(({ requestId }) => requestId))
      .toEqual(expect.arrayContaining(['early', 'second']));
    await caller.close();
  });

  it('that is revoked ends its sockets within a second, on any instance, and stops nobody else’s', async () => {
    const { body } = await account.as('POST', '/auth/api-keys', { name: 'revoked', scopes: ['entity:read'] });
    const { apiKey: revoked, id } = body as { apiKey: string; id: string };
    const sockets = await Promise.all(
      [two.first, two.second].map(({ url }) => connectCaller(url, revoked, at())),
    );
    const other = await connectCaller(two.second.url, key, at());
    const since = performance.now();
    await account.as('DELETE', `/auth/api-keys/${id}`);
    for (const socket of sockets) expect(await socket.closed).toMatchObject({ code: 4002 });
    expect(performance.now() - since).toBeLessThan(5_000);
    expect(await other.ask({ type: 'players' })).not.toHaveProperty('error');
    await other.close();
  });

  it('of another account reaches no world of this one', async () => {
    const stranger = await createAccount(two.first.url);
    const theirs = await stranger.createKey();
    const refused = await openCaller(two.first.url, { token: theirs });
    await refused.next('connected');
    for (const message of [{ type: 'players' }, { type: 'subscribe', channel: 'chat' }])
      expect(await refused.ask({ ...message, clientId: pairing.clientId })).toMatchObject({
        problem: { code: 'client_not_found' },
      });
    await refused.close();
    const narrow = await account.createKey({ clientIds: [(await account.pair()).clientId] });
    const closed = await openCaller(two.first.url, { token: narrow, ...at() });
    expect(await closed.closed).toMatchObject({ code: 4403 });
  });
});

describe('a call', () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await connectCaller(two.second.url, key, at());
  });
  afterAll(() => caller.close());

  it('is carried out once under one idempotency key', async () => {
    const first = await caller.ask({ type: 'next-turn', idempotencyKey: 'k1' });
    const again = await caller.ask({ type: 'next-turn', idempotencyKey: 'k1' });
    expect([first['replayed'], again['replayed'], sent.length]).toEqual([undefined, true, 1]);
    expect(await caller.ask({ type: 'next-turn', idempotencyKey: 'k1', encounter: 'x' })).toMatchObject({
      problem: { code: 'idempotency_key_reused', outcome: 'not_sent' },
    });
    expect(await caller.ask({ type: 'next-turn', idempotencyKey: 7 })).toMatchObject({
      problem: { code: 'invalid_request', errors: [{ field: 'idempotencyKey' }] },
    });
  });

  it('may be cancelled: its world is told, and it is answered as a failure', async () => {
    answer = () => undefined;
    caller.send({ type: 'next-turn', requestId: 'mine' });
    await expect.poll(() => sent.length).toBe(1);
    caller.send({ type: 'cancel', requestId: 'mine' });
    expect(await module.next('cancel')).toMatchObject({ requestId: sent[0]?.['requestId'] });
    expect(await caller.next('next-turn-result')).toMatchObject({
      requestId: 'mine',
      problem: { outcome: 'unknown' },
    });
  });

  it('has an id of its own among those under way', async () => {
    answer = () => undefined;
    caller.send({ type: 'players', requestId: 'twin' });
    caller.send({ type: 'players', requestId: 'twin' });
    expect(await caller.next('error')).toMatchObject({
      requestId: 'twin',
      problem: { code: 'invalid_request' },
    });
    caller.send({ type: 'cancel', requestId: 'twin' });
    await caller.next('players-result');
  });

  it.each([
    ['closes the frame and goes on', '{"data":1},"requestId":"other"}'],
    ['names another request', '{"type":"x","requestId":"other","clientId":"w"}'],
    ['is no object', '["requestId"]'],
  ])('is not taken for another where the reply %s, at 40 KiB', async (_what, reply) => {
    const padding = `"pad":"${'x'.repeat(40_000)}"`;
    answer = (command) => {
      const { requestId, type } = command as { requestId: string; type: string };
      return `{"type":"${type}-result","requestId":"${requestId}",${padding},"inner":${reply}}`;
    };
    const others: Told[] = [];
    caller.ws.on('message', (data: Buffer) => {
      const told = JSON.parse(data.toString()) as Told;
      if (told['requestId'] === 'other') others.push(told);
    });
    const told = await caller.ask({ type: 'players' });
    expect(told['type']).toBe('players-result');
    expect(others).toEqual([]);
  });

  it('stands in the log as come over a socket', async () => {
    await caller.ask({ type: 'players' });
    const logged = async () => {
      const { body } = await account.as('GET', '/auth/calls?operation=players&limit=1');
      return (body['items'] as object[])[0];
    };
    await expect
      .poll(logged, { timeout: 10_000 })
      .toMatchObject({ via: 'socket', clientId: pairing.clientId });
  });

  it('is refused where it is paused, and the socket stays', async () => {
    await account.as('POST', `/auth/known-clients/${pairing.clientId}/pause`);
    const codeOf = async () =>
      ((await caller.ask({ type: 'players' }))['problem'] as { code?: string })?.code;
    await expect.poll(codeOf).toBe('paused');
    await account.as('POST', `/auth/known-clients/${pairing.clientId}/resume`);
    await expect.poll(codeOf).toBeUndefined();
  });
});

describe('events', () => {
  it('go on behind the last one on another instance: each once, in order', async () => {
    const caller = await connectCaller(two.first.url, key, at());
    await caller.ask({ type: 'subscribe', channel: 'chat' });
    await heardOf(caller, 'm0');
    const last = caller.told.findLast(({ type }) => type === 'chat-event');
    await caller.close();
    for (const id of ['m1', 'm2', 'm3']) say(id);
    const back = await connectCaller(two.second.url, key, at());
    await expect
      .poll(async () => {
        const told = await back.ask({ type: 'subscribe', channel: 'chat', lastEventId: last?.['id'] });
        return told['recovered'];
      })
      .toBe(true);
    await expect.poll(() => chatIds(back).slice(-3)).toEqual(['m1', 'm2', 'm3']);
    await back.close();
  });

  it('come by the filters of their subscription, each with its own id', async () => {
    const caller = await connectCaller(two.second.url, key, at());
    const all = await caller.ask({ type: 'subscribe', channel: 'chat-events', subscriptionId: 'all' });
    const few = await caller.ask({
      type: 'subscribe',
      channel: 'chat',
      filters: { speaker: 'Nobody' },
      tea: 1,
    });
    expect([all, few]).toMatchObject([
      { subscriptionId: 'all', channel: 'chat-events' },
      { channel: 'chat', ignored: ['tea'] },
    ]);
    await heardOf(caller, 'f1');
    const events = caller.told.filter(({ type }) => type === 'chat-event');
    expect(new Set(events.map(({ subscriptionId }) => subscriptionId))).toEqual(new Set(['all']));
    caller.send({ type: 'unsubscribe', subscriptionId: 'all' });
    await caller.next('unsubscribed');
    // Also one that is only being opened.
    caller.send({ type: 'subscribe', channel: 'chat', subscriptionId: 'late' });
    caller.send({ type: 'unsubscribe', subscriptionId: 'late' });
    await caller.next('subscribed');
    await caller.next('unsubscribed');
    const count = caller.told.length;
    say('f2');
    await caller.ask({ type: 'ping' });
    expect(caller.told.slice(count).filter(({ type }) => type === 'chat-event')).toEqual([]);
    await caller.close();
  });

  it('tell that the world is gone, and back', async () => {
    const world = await account.pair();
    const gone = await connectModule(two.first.url, world);
    const caller = await connectCaller(two.second.url, key, at(`?clientId=${world.clientId}`));
    await caller.ask({ type: 'subscribe', channel: 'rolls' });
    await gone.close();
    expect(await caller.next('client-offline')).toMatchObject({
      clientId: world.clientId,
      event: 'client-offline',
    });
    const back = await connectModule(two.first.url, world);
    expect(await caller.next('client-online')).toMatchObject({ clientId: world.clientId });
    await back.close();
    await caller.close();
  });

  it('end where their scope is taken from the key, and the socket stays', async () => {
    const caller = await connectCaller(two.second.url, key, at());
    for (let count = 0; count < 32; count++)
      expect(await caller.ask({ type: 'subscribe', channel: 'hooks', filters: { hooks: `h${count}` } })).toMatchObject({ type: 'subscribed' }); // prettier-ignore
    expect(await caller.ask({ type: 'subscribe', channel: 'chat' })).toMatchObject({
      problem: { code: 'rate_limited' },
    });
    // One that equals another takes its place.
    expect(await caller.ask({ type: 'subscribe', channel: 'hooks', filters: { hooks: 'h1' } })).toMatchObject({ type: 'subscribed' }); // prettier-ignore
    await caller.close();
    const blind = await account.createKey({ scopes: ['entity:read'] });
    const other = await connectCaller(two.second.url, blind, at());
    expect(await other.ask({ type: 'subscribe', channel: 'chat' })).toMatchObject({
      type: 'error',
      problem: { code: 'scope_missing', scope: 'events:subscribe' },
    });
    await other.close();
  });
});

const openSockets = async (): Promise<number> =>
  Number(/^relay_caller_sockets (\d+)$/m.exec(await two.second.registry.metrics())?.[1]);

const chatIds = (caller: Caller): unknown[] =>
  caller.told
    .filter(({ type }) => type === 'chat-event')
    .map(({ data }) => (data as { data: { id: string } }).data.id);

describe('bounds', () => {
  it('refuse a message above 256 KiB, and close at twice as much', async () => {
    const caller = await connectCaller(two.first.url, key, at());
    caller.send({ type: 'ping', pad: 'x'.repeat(300_000) });
    expect(await caller.next('error')).toMatchObject({ problem: { code: 'payload_too_large' } });
    caller.ws.send('x'.repeat(1_000_000), () => {});
    expect((await caller.closed).code).toSatisfy((code: number) => [1009, 1006].includes(code));
  });

  it('hold for the calls in flight of a key', async () => {
    answer = () => undefined;
    const caller = await connectCaller(two.second.url, key, at());
    for (let count = 0; count < 21; count++) caller.send({ type: 'players', requestId: `c${count}` });
    expect(await caller.next('players-result')).toMatchObject({ problem: { code: 'rate_limited' } });
    await caller.close();
    // Their world is told that nobody waits.
    expect(await module.next('cancel')).toBeDefined();
  });

  it('close a socket that sends what nobody can read, or too much that costs nothing', async () => {
    const bad = await connectCaller(two.first.url, key, at());
    bad.ws.send(Buffer.from('{"type":"ping"}'), { binary: true });
    for (let count = 0; count < 62; count++) bad.send('not JSON');
    expect(await bad.closed).toMatchObject({ code: 4400 });
    const busy = await connectCaller(two.first.url, key, at());
    for (let count = 0; count < 610; count++) busy.send({ type: 'ping' });
    expect(await busy.closed).toMatchObject({ code: 4429 });
  });

  it('end a socket that reads no answers, which slows no other', async () => {
    answer = () => ({ data: { pad: 'x'.repeat(4_000_000) } });
    const deaf = await connectCaller(two.second.url, key, at());
    deaf.ws.pause();
    const other = await connectCaller(two.second.url, key, at());
    const before = await openSockets();
    for (let count = 0; count < 4; count++) deaf.send({ type: 'players', requestId: `d${count}` });
    await expect.poll(() => sent.length, { timeout: 10_000 }).toBe(4);
    answer = usual;
    expect(await other.ask({ type: 'world-info' })).not.toHaveProperty('error');
    await expect.poll(openSockets, { timeout: 20_000 }).toBe(before - 1);
    deaf.ws.terminate();
    await other.close();
  });

  it('leave events out for a socket that reads slowly, and `gap` says how many', async () => {
    const caller = await connectCaller(two.second.url, key, at());
    await caller.ask({ type: 'subscribe', channel: 'chat' });
    await heardOf(caller, 's0');
    caller.ws.pause();
    const content = 'x'.repeat(50_000);
    for (let count = 0; count < 400; count++)
      module.send({ type: 'chat-event', data: { eventType: 'create', data: { id: `s${count}`, content, whisper: [] } } }); // prettier-ignore
    const dropped = async () =>
      /relay_events_dropped_total\{reason="slow_listener"\} [1-9]/.test(await two.second.registry.metrics());
    await expect.poll(dropped, { timeout: 20_000 }).toBe(true);
    caller.ws.resume();
    expect(await caller.next('gap')).toMatchObject({ data: { dropped: expect.any(Number) as number } });
    await caller.close();
  });

  it('hold for the sockets of a key over all instances, as places of streams', async () => {
    const strict = await startTwo('redis', { config: { streamsPerKey: 2 } });
    const owner = await createAccount(strict.first.url);
    const mine = await owner.createKey();
    const open = [await connectCaller(strict.first.url, mine), await connectCaller(strict.second.url, mine)];
    const third = await openCaller(strict.first.url, { token: mine });
    expect(await third.closed).toMatchObject({ code: 4429 });
    await open[1]?.close();
    await expect
      .poll(async () => {
        const next = await openCaller(strict.first.url, { token: mine });
        const { type } = await next.next();
        await next.close();
        return type;
      })
      .toBe('connected');
    await open[0]?.close();
    await strict.stop();
  });
});

it('an instance that drains says when to come back, answers what is under way, and closes with 1012', async () => {
  const leaving = await two.cluster.add();
  const caller = await connectCaller(leaving.url, key, at());
  let reply = () => {};
  answer = ({ requestId, type }) => {
    reply = () => module.send({ type: `${String(type)}-result`, requestId, data: {} });
    return undefined;
  };
  caller.send({ type: 'players', requestId: 'last' });
  await expect.poll(() => sent.length).toBe(1);
  const stopped = leaving.stop();
  expect(await caller.next('going-away')).toMatchObject({ retryAfterMs: expect.any(Number) as number });
  expect(await caller.ask({ type: 'world-info' })).toMatchObject({
    problem: { code: 'unavailable', outcome: 'not_sent', retryable: true },
  });
  reply();
  expect(await caller.next('players-result')).not.toHaveProperty('error');
  expect(await caller.closed).toMatchObject({ code: 1012 });
  await stopped;
});

it('a socket that answers no ping is ended', async () => {
  const silent = await openCaller(two.second.url, { token: key, autoPong: false });
  await silent.next('connected');
  expect(await silent.closed).toMatchObject({ code: 1006 });
});
