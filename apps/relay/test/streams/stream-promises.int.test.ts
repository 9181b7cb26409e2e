import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSecret } from '../../src/credentials/secret.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { headOf, openRaw } from '../raw-connection.ts';
import { openSse } from './sse.ts';
import type { SseOptions, SseReader } from './sse.ts';

const within = { timeout: 20_000, interval: 5 };

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let key: string;
let world: Pairing;
let module: FakeModule;
let readers: SseReader[] = [];
beforeAll(async () => {
  cluster = await startInstances({
    config: {
      streamQueueBytes: 262_144,
      largeFrameBytes: 50_000,
      maxEventBytes: 100_000,
      moduleBytesPerSecond: 1_000_000_000,
      moduleBurstBytes: 1_000_000_000,
      limitStreamTickets: '3 per 1 min',
      limitUnknownKeys: '2 per 1 min',
    },
  });
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  key = await account.createKey();
  world = await account.pair();
  module = await connectModule(url, world);
});
afterEach(() => {
  for (const reader of readers) reader.close();
  readers = [];
});
afterAll(async () => {
  await module.close();
  await cluster.stop();
});

/** Resolves when the module was told that somebody listens. */
async function listen(options: SseOptions = {}, query = ''): Promise<SseReader> {
  const reader = await openSse(`${url}/hooks/subscribe?clientId=${world.clientId}${query}`, {
    key,
    ...options,
  });
  readers.push(reader);
  const isTold = () => module.received.some(({ channel, count }) => channel === 'hooks' && Number(count) > 0);
  if (reader.status === 200) await vi.waitUntil(isTold, within);
  return reader;
}

const send = (hook: string, ...args: unknown[]) => module.send({ type: 'hook-event', data: { hook, args } });
const firstArgs = (reader: SseReader) => reader.data().map(({ args }) => (args as unknown[])[0]);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('a listener that does not keep up', () => {
  /** Sends 12 MB, which no connection holds, no faster than a quick listener reads. */
  async function sendMuch(from: FakeModule, quick: SseReader): Promise<void> {
    const text = 'x'.repeat(20_000);
    for (let batch = 0; batch < 60; batch++) {
      for (const one of numbers(10)) {
        const args = [batch * 10 + one, text];
        from.send({ type: 'hook-event', data: { hook: 'updateActor', args } });
      }
      await vi.waitUntil(() => firstArgs(quick).at(-1) === batch * 10 + 10, within);
    }
  }

  it('is told how many events it missed, and slows nobody', async () => {
    const [slow, quick] = [await listen(), await listen()];
    slow.pause();
    await sendMuch(module, quick);
    expect(firstArgs(quick)).toEqual(numbers(600));
    expect(slow.data().length).toBeLessThan(600);
    slow.resume();
    const { data } = await slow.next('gap');
    const heard = firstArgs(slow);
    expect(heard).toEqual(numbers(heard.length));
    expect(data).toEqual({ clientId: world.clientId, channel: 'hooks', dropped: 600 - heard.length });
    send('updateActor', 'after');
    await vi.waitFor(() => expect(firstArgs(slow).at(-1)).toBe('after'), within);
    expect(quick.names()).not.toContain('gap');
  });

  it('gets all that it missed when it returns, though that is more than may wait at any time', async () => {
    const first = await listen();
    send('updateActor', 0);
    const { id } = await first.next('updateActor');
    for (let batch = 0; batch < 9; batch++) {
      for (const one of numbers(100)) send('updateActor', batch * 100 + one, 'x'.repeat(1_700));
      await vi.waitUntil(() => firstArgs(first).at(-1) === batch * 100 + 100, within);
    }
    const again = await listen({ lastId: id });
    await vi.waitFor(() => expect(firstArgs(again)).toEqual(numbers(900)), within);
    expect(again.names()).not.toContain('gap');
  });

  it('hears that the world has left, though that was among what it missed', async () => {
    const other = await account.pair();
    const leaving = await connectModule(url, other);
    const path = `${url}/hooks/subscribe?clientId=${other.clientId}`;
    const [slow, quick] = [await openSse(path, { key }), await openSse(path, { key })];
    readers.push(slow, quick);
    slow.pause();
    await sendMuch(leaving, quick);
    await leaving.close();
    await quick.next('client-offline');
    slow.resume();
    await slow.next('client-offline');
    expect(slow.names().slice(-2)).toEqual(['gap', 'client-offline']);
  });
});

describe('an event', () => {
  it('above MAX_EVENT_BYTES is told as a gap of one, and the next one comes', async () => {
    const reader = await listen();
    send('updateActor', 'small');
    send('updateActor', 'x'.repeat(100_001));
    send('updateActor', 'x'.repeat(60_000));
    await vi.waitFor(() => expect(reader.data()).toHaveLength(2), within);
    expect(reader.names()).toEqual(['connected', 'updateActor', 'gap', 'updateActor']);
    expect((await reader.next('gap')).data).toMatchObject({ dropped: 1 });
  });

  it('that the module had to leave out is told by the next one', async () => {
    const reader = await listen();
    module.send({ type: 'hook-event', data: { hook: 'updateActor', args: [4] }, dropped: 3 });
    for (const dropped of [0, -1, 1.5, '2', null, 1e300]) {
      module.send({ type: 'hook-event', data: { hook: 'updateActor', args: [5] }, dropped });
    }
    await vi.waitFor(() => expect(reader.data()).toHaveLength(7), within);
    expect(reader.names().filter((name) => name === 'gap')).toHaveLength(1);
    expect(reader.events[1]).toMatchObject({ event: 'gap', data: { dropped: 3 } });
  });

  it.each([
    'connected',
    'gap',
    'client-offline',
    'client-online',
    '',
    'a\nb',
    'a\rb',
    'a\0b',
    'x'.repeat(201),
  ])('named %j is refused: it would pass for one of the relay, or end its line', async (hook) => {
    const reader = await listen();
    const refused = module.count('error');
    send(hook);
    await vi.waitUntil(() => module.count('error') > refused, within);
    expect(module.received.findLast(({ type }) => type === 'error')).toMatchObject({ code: 'bad_event' });
    send('updateActor', 'good');
    await reader.next('updateActor');
    expect(reader.names()).toEqual(['connected', 'updateActor']);
  });

  it('cannot say another world, channel or time than its own', async () => {
    const reader = await listen();
    const forged = { clientId: 'another', channel: 'rolls', timestamp: 1, hook: 'updateActor', args: [] };
    module.send({ type: 'hook-event', data: forged });
    const { data } = await reader.next('updateActor');
    expect(data).toMatchObject({ clientId: world.clientId, channel: 'hooks' });
    expect(data['timestamp']).toBeGreaterThan(1e12);
  });
});

describe('a stream', () => {
  it('counts as one call of the month', async () => {
    const limited = await account.createKey({ monthlyLimit: 2 });
    const opened = [await listen({ key: limited }), await listen({ key: limited })];
    expect(opened.map(({ status }) => status)).toEqual([200, 200]);
    const refused = await listen({ key: limited });
    expect(refused).toMatchObject({ status: 429, problem: { code: 'monthly_limit_reached' } });
  });

  it('is not opened behind another answer of its connection, where its events would pile up', async () => {
    const silent = await account.pair();
    const mute = await connectModule(url, silent);
    const raw = openRaw(url);
    const requestFor = (path: string) =>
      headOf('GET', `${path}?clientId=${silent.clientId}`, { 'x-api-key': key });
    raw.socket.write(requestFor('/players') + requestFor('/hooks/subscribe'));
    await mute.next('players');
    await mute.close();
    await vi.waitUntil(() => raw.received().includes('"field":"connection"'), within);
    expect(raw.received().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 502', 'HTTP/1.1 400']);
    raw.socket.destroy();
  });
});

it('the owner of a world sees how many follow each of its channels', async () => {
  const other = await account.pair();
  const path = `/auth/known-clients/${other.clientId}/listeners`;
  const counts = async () => {
    const { items } = (await account.as('GET', path)).body as {
      items: { channel: string; listeners: number }[];
    };
    return Object.fromEntries(items.map(({ channel, listeners }) => [channel, listeners]));
  };
  expect(await counts()).toEqual({ hooks: 0, combat: 0, actor: 0, scene: 0, chat: 0, rolls: 0 });
  const follow = (channel: string) =>
    openSse(`${url}/${channel}/subscribe?clientId=${other.clientId}`, { key });
  readers.push(await follow('rolls'), await follow('rolls'), await follow('chat'));
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ rolls: 2, chat: 1, hooks: 0 }), within);
  const stranger = await createAccount(url);
  expect((await stranger.as('GET', path)).status).toBe(404);
});

describe('tickets', () => {
  const issue = () =>
    call(url, 'POST', '/events/tickets', {
      body: { path: '/hooks/subscribe', query: { clientId: world.clientId } },
      headers: { 'x-api-key': key },
    });

  it('are made at a limited rate', async () => {
    const statuses = [];
    for (let made = 0; made < 4; made++) statuses.push((await issue()).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('are not to be guessed: an address may try few', async () => {
    const problems = [];
    for (let guess = 0; guess < 4; guess++) {
      const { value } = createSecret('streamTicket');
      problems.push((await openSse(`${url}/hooks/subscribe?ticket=${value}`)).problem['code']);
    }
    expect(problems.at(0)).toBe('key_invalid');
    expect(problems.at(-1)).toBe('rate_limited');
  });
});
