import { createRandom, startFaultProxy } from '@tabletop-relay/testing';
import type { FakeModule } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { createRelay, RelayError } from '@tabletop-relay/sdk';
import type { StreamEvent } from '@tabletop-relay/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { connectCaller } from './caller.ts';

let two: TwoInstances;
let account: TestAccount;
let key: string;
let pairing: Pairing;
let module: FakeModule;
let said = 0;

beforeAll(async () => {
  two = await startTwo('redis', { config: { streamsPerKey: 1_000, streamsPerAccount: 1_000 } });
  account = await createAccount(two.first.url);
  key = await account.createKey();
  pairing = await account.pair();
  module = await connectModule(two.first.url, pairing, () => ({ data: {} }));
});
afterAll(async () => {
  await module.close();
  await two.stop();
});

const say = () =>
  module.send({
    type: 'roll-data',
    data: { id: String(++said), formula: '1d20', rollTotal: said },
  });

/** Until one has arrived: the module’s events are wanted from then on. */
async function begin(heard: () => number): Promise<void> {
  await expect.poll(() => (say(), heard()), { timeout: 10_000 }).toBeGreaterThan(0);
}

it('a listener hears each event once, in order, through 100 cuts and changes of instance', async () => {
  const random = createRandom(Number(process.env['CUTS_SEED'] ?? Date.now()));
  const heard: number[] = [];
  let lastEventId: unknown;
  for (let round = 0; round < 100; round++) {
    const { url } = random.pick([two.first, two.second]);
    const caller = await connectCaller(url, key, { query: `?clientId=${pairing.clientId}` });
    const told = await caller.ask({ type: 'subscribe', channel: 'rolls', lastEventId });
    expect(told['recovered'], `round ${round}`).toBe(round > 0);
    if (round === 0) await begin(() => caller.told.filter(({ type }) => type === 'roll-event').length);
    const count = random.integer(4);
    for (let index = 0; index < count; index++) say();
    // Cut at any time: before, between and after they arrive.
    for (let turns = random.integer(40); turns > 0; turns--) await new Promise(setImmediate);
    caller.ws.terminate();
    for (const { type, id, data } of caller.told) {
      if (type !== 'roll-event') continue;
      heard.push(Number((data as { id: string }).id));
      lastEventId = id;
    }
  }
  const last = await connectCaller(two.second.url, key, { query: `?clientId=${pairing.clientId}` });
  await last.ask({ type: 'subscribe', channel: 'rolls', lastEventId });
  await expect
    .poll(() => last.told.filter(({ type }) => type === 'roll-event').map(({ data }) => (data as { id: string }).id).at(-1) ?? String(heard.at(-1)))
    .toBe(String(said)); // prettier-ignore
  heard.push(
    ...last.told.flatMap(({ type, data }) =>
      type === 'roll-event' ? [Number((data as { id: string }).id)] : [],
    ),
  );
  const [first = 0] = heard;
  expect(heard).toEqual(Array.from({ length: said - first + 1 }, (_, index) => first + index));
  await last.close();
}, 120_000);

it.each([
  ['Node’s own', undefined],
  ['that of ws', WebSocket],
])(
  'the SDK with %s WebSocket calls and listens, and comes back by itself on another instance',
  async (_name, given) => {
    const portOf = ({ url }: { url: string }) => Number(new URL(url).port);
    const proxy = await startFaultProxy(portOf(two.first));
    const interrupted: RelayError[] = [];
    const relay = createRelay({
      url: `http://127.0.0.1:${proxy.port}`,
      apiKey: key,
      clientId: pairing.clientId,
      retries: 3,
    });
    const socket = await relay.connect({
      ...(given ? { WebSocket: given } : {}),
      onInterrupted: (error) => interrupted.push(error),
    });
    expect(await socket.utility.players()).toMatchObject({ type: 'players-result' });
    await expect(
      socket.sys5e.skillCheck({ actorUuid: 'Actor.a', skill: 'tea' as 'prc' }),
    ).rejects.toMatchObject({
      name: 'RelayError',
      code: 'invalid_request',
      outcome: 'not_sent',
    });
    const events: StreamEvent<'rolls'>[] = [];
    const loop = (async () => {
      for await (const event of socket.events.rolls()) events.push(event);
    })();
    const rolls = () => events.flatMap(({ event, data }) => (event === 'roll' ? [Number(data['id'])] : []));
    await begin(() => rolls().length);
    proxy.pointTo(portOf(two.second));
    proxy.cut();
    say();
    const duringTheCut = said;
    expect(await socket.encounters.nextTurn()).toMatchObject({ type: 'next-turn-result' });
    say();
    await expect.poll(() => rolls().at(-1), { timeout: 20_000 }).toBe(said);
    const [first = 0] = rolls();
    expect(rolls()).toEqual(Array.from({ length: said - first + 1 }, (_, index) => first + index));
    expect(rolls()).toContain(duringTheCut);
    expect(
      events
        .filter(({ event }) => event === 'connected')
        .map(({ data }) => (data as { recovered?: boolean }).recovered),
    ).toEqual([false, true]);
    expect(interrupted).toMatchObject([{ code: 'connection_failed', retryable: true }]);
    socket.close();
    expect(await socket.closed).toBeUndefined();
    await loop;
    await proxy.close();
  },
  60_000,
);

it('the SDK’s socket is refused with the relay’s words, and ends with its key', async () => {
  const unknown = createRelay({ url: two.first.url, apiKey: `${key.slice(0, -6)}AAAAAA` });
  await expect(unknown.connect()).rejects.toMatchObject({ code: 'key_invalid', status: 401 });
  const { body } = await account.as('POST', '/auth/api-keys', {
    name: 'short',
    scopes: ['entity:read', 'events:subscribe'],
  });
  const { apiKey, id } = body as { apiKey: string; id: string };
  const socket = await createRelay({ url: two.first.url, apiKey, clientId: pairing.clientId }).connect();
  const loop = (async () => {
    for await (const { event } of socket.events.rolls()) expect(event).toBe('connected');
  })();
  await account.as('DELETE', `/auth/api-keys/${id}`);
  const error = await socket.closed;
  expect(error).toBeInstanceOf(RelayError);
  await expect(loop).rejects.toBeInstanceOf(RelayError);
  await expect(socket.utility.worldInfo()).rejects.toMatchObject({ outcome: 'not_sent' });
});
