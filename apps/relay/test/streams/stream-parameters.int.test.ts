import { channels } from '@tabletop-relay/contract';
import type { FakeModule } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { openSse } from './sse.ts';
import type { SseReader } from './sse.ts';

const within = { timeout: 15_000, interval: 5 };

let two: TwoInstances;
let key: string;
let world: Pairing;
let module: FakeModule;
const readers: SseReader[] = [];
beforeAll(async () => {
  two = await startTwo('redis');
  const account = await createAccount(two.first.url);
  key = await account.createKey({ scopes: ['events:subscribe'] });
  world = await account.pair();
  module = await connectModule(two.first.url, world);
});
afterAll(async () => {
  for (const reader of readers) reader.close();
  await module.close();
  await two.stop();
});

/** Opens a stream that must be opened. */
async function listen(path: string, query: Record<string, string> = {}, lastId?: string): Promise<SseReader> {
  const search = new URLSearchParams({ clientId: world.clientId, ...query });
  const reader = await openSse(`${two.second.url}${path}?${search}`, {
    key,
    ...(lastId !== undefined && { lastId }),
  });
  expect(reader.problem).toEqual({});
  readers.push(reader);
  return reader;
}

/** Waits until the module was told that somebody listens. */
async function isWanted(wire: string): Promise<void> {
  const isTold = () =>
    module.received.findLast(({ type, channel }) => type === 'event-subscription-update' && channel === wire);
  await vi.waitFor(() => expect(isTold()?.['count']).toBeGreaterThan(0), within);
}

describe('the parameters that four streams share', () => {
  const shared = ['hooks', 'combat', 'actor', 'scene'] as const;
  const all = shared.flatMap((name) => Object.keys(channels[name].filters));

  it.each(shared)('are known on the stream of %s, and those of others are named', async (name) => {
    const own = Object.keys(channels[name].filters);
    for (const parameter of all) {
      const reader = await listen(channels[name].path, { [parameter]: 'x' });
      expect([parameter, reader.headers['x-ignored-parameters']]).toEqual([
        parameter,
        own.includes(parameter) ? undefined : parameter,
      ]);
      reader.close();
    }
    const every = Object.fromEntries(all.map((parameter) => [parameter, 'x']));
    const reader = await listen(channels[name].path, every);
    const others = all.filter((parameter) => !own.includes(parameter));
    expect(reader.headers['x-ignored-parameters']).toBe(others.join(', '));
    reader.close();
  });
});

describe('a stream of actors', () => {
  it.each([{}, { actorUuid: '*' }, { actorUuid: '*', hooks: 'updateActor' }])(
    'follows all of them for %j',
    async (query) => {
      const reader = await listen('/actor/subscribe', query);
      await isWanted('actor-events');
      for (const actorUuid of ['Actor.mira', 'Actor.borin'])
        module.send({ type: 'actor-event', data: { eventType: 'update', actorUuid } });
      await vi.waitFor(
        () => expect(reader.data().map(({ actorUuid }) => actorUuid)).toEqual(['Actor.mira', 'Actor.borin']),
        within,
      );
      reader.close();
    },
  );
});

describe('a stream of the chat', () => {
  const say = (id: string, more: object) =>
    module.send({ type: 'chat-event', data: { eventType: 'create', data: { id, whisper: [], ...more } } });

  it.each([
    [{ type: '4' }, ['b', 'c']],
    [{ chatType: '4', type: '4' }, ['b', 'c']],
    [{ whisperOnly: 'true' }, ['b', 'd']],
    [{ whisperOnly: 'True', type: '4' }, ['b']],
    [{ whisperOnly: 'false' }, ['a', 'b', 'c', 'd']],
  ])('lets through for %j the messages %j', async (query, passing) => {
    const reader = await listen('/chat/subscribe', query);
    await isWanted('chat-events');
    say('a', { type: 2 });
    say('b', { type: 4, whisper: ['ana'] });
    say('c', { type: 4, whisper: 'ana' });
    say('d', { type: 2, whisper: ['ana'] });
    module.send({ type: 'chat-event', data: { eventType: 'delete', data: { id: 'end' } } });
    const heard = () => reader.data().map(({ data }) => (data as { id: string }).id);
    await vi.waitFor(() => expect(heard()).toEqual([...passing, 'end']), within);
    reader.close();
  });
});

describe('the id to resume from', () => {
  it.each(['lastEventId', 'Last-Event-ID'])('is read from the query as %s', async (name) => {
    const first = await listen('/encounters/subscribe');
    await isWanted('combat-events');
    module.send({ type: 'combat-event', data: { eventType: 'turn', encounterId: name, turn: 1 } });
    const { id } = await first.next('combat-turn');
    first.close();
    module.send({ type: 'combat-event', data: { eventType: 'turn', encounterId: name, turn: 2 } });
    const again = await listen('/encounters/subscribe', { [name]: id, encounterId: name });
    expect((await again.next('connected')).data).toMatchObject({ recovered: true });
    await vi.waitFor(() => expect(again.data()).toMatchObject([{ turn: 2 }]), within);
    const lastId = again.lastId();
    again.close();
    // An address is written once, a header at each return.
    const third = await listen('/encounters/subscribe', { [name]: id }, lastId);
    module.send({ type: 'combat-event', data: { eventType: 'turn', encounterId: name, turn: 3 } });
    await vi.waitFor(() => expect(third.data()).toMatchObject([{ turn: 3 }]), within);
    third.close();
  });

  it.each(['x:1', ''])('that is none of ours, as %j, begins anew and says so', async (lastEventId) => {
    const reader = await listen('/rolls/subscribe', { lastEventId });
    expect((await reader.next('connected')).data).toMatchObject({ recovered: false });
    reader.close();
  });
});
