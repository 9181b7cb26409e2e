import { channelNames, channels } from '@tabletop-relay/contract';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startRelay } from '../test/relay-server.ts';
import type { Peer, RelayServer } from '../test/relay-server.ts';
import { makeModule } from '../test/fixtures.ts';
import type { EventData, TabletopModule } from './index.ts';

let relay: RelayServer;
let module: TabletopModule;
let peer: Peer;
let errors: unknown[];
const heard: [string, number][] = [];

beforeEach(async () => {
  relay = await startRelay();
  heard.length = 0;
  ({ module, errors } = makeModule(relay.url, {
    handlers: { encounters: () => ({ encounters: [] }) },
    onListeners: (channel, count) => heard.push([channel, count]),
  }));
  await module.connect();
  peer = await relay.nextPeer();
});
afterEach(async () => {
  module.close();
  await relay.close();
});

/** Everything sent before was received once this is answered. */
async function roundTrip(requestId: string) {
  peer.send({ type: 'encounters', requestId });
  await peer.frame({ requestId });
}

describe('events', () => {
  test.each(channelNames)('of %s are sent only while somebody listens', async (channel) => {
    const { wire, frame: type, example: data } = channels[channel];
    expect(module.emit(channel, data)).toBe(false);
    peer.send({ type: 'event-subscription-update', channel: wire, count: 2 });
    await vi.waitUntil(() => module.listeners(channel) === 2, 10_000);
    expect(module.emit(channel, data)).toBe(true);
    expect(await peer.frame({ type })).toEqual({ type, data });
    peer.send({ type: 'event-subscription-update', channel: wire, count: 0 });
    await vi.waitUntil(() => module.listeners(channel) === 0, 10_000);
    expect(module.emit(channel, data)).toBe(false);
    expect(heard).toEqual([
      [channel, 2],
      [channel, 0],
    ]);
  });

  test('listeners are nobody again once the connection is lost', async () => {
    peer.send({ type: 'event-subscription-update', channel: 'hooks', count: 1 });
    await vi.waitUntil(() => module.listeners('hooks') === 1, 10_000);
    peer.socket.terminate();
    await relay.nextPeer();
    expect(module.listeners('hooks')).toBe(0);
    expect(heard).toEqual([
      ['hooks', 1],
      ['hooks', 0],
    ]);
  });

  test('are made only while somebody listens', async () => {
    const make = vi.fn<() => EventData<'combat'>>(() => ({ eventType: 'turn', encounterId: 'e' }));
    expect(module.emit('combat', make)).toBe(false);
    expect(make).not.toHaveBeenCalled();
    peer.send({ type: 'event-subscription-update', channel: 'combat-events', count: 1 });
    await vi.waitUntil(() => module.listeners('combat') === 1, 10_000);
    expect(module.emit('combat', make)).toBe(true);
    expect(await peer.frame({ type: 'combat-event' })).toMatchObject({ data: { eventType: 'turn' } });
    expect(make).toHaveBeenCalledOnce();
  });

  test('that cannot be made, or are not JSON, are dropped and reported', async () => {
    peer.send({ type: 'event-subscription-update', channel: 'hooks', count: 1 });
    await vi.waitUntil(() => module.listeners('hooks') === 1, 10_000);
    const failing = () => {
      throw new Error('No such document');
    };
    expect(module.emit('hooks', { hook: 'h', args: [1n] })).toBe(false);
    expect(module.emit('hooks', failing)).toBe(false);
    expect(errors).toHaveLength(2);
  });
});

describe('a remote request', () => {
  test('is answered by its own response', async () => {
    const one = module.remoteRequest('other', 'players', {});
    const two = module.remoteRequest('other', 'players', { userId: 'gm' });
    await vi.waitUntil(() => peer.received.length === 2, 10_000);
    const [first, second] = peer.received;
    expect(second).toMatchObject({ targetClientId: 'other', action: 'players', payload: { userId: 'gm' } });
    const answer = { type: 'remote-response', success: true };
    peer.send({
      ...answer,
      requestId: second?.['requestId'],
      data: { type: 'players-result', users: ['b'] },
    });
    peer.send({ ...answer, requestId: first?.['requestId'], data: { type: 'players-result', users: ['a'] } });
    expect(await Promise.all([one, two])).toEqual([
      { type: 'players-result', users: ['a'] },
      { type: 'players-result', users: ['b'] },
    ]);
  });

  test.each([
    { code: 'operation_failed', reason: 'user_not_found', outcome: 'unknown', retryable: true },
    { code: 'client_offline', reason: undefined, outcome: 'not_sent', retryable: false },
  ])('that is refused rejects with the relay’s code: %j', async (failure) => {
    const asked = module.remoteRequest('other', 'players', {});
    const { requestId } = await peer.frame({ type: 'remote-request' });
    peer.send({
      type: 'remote-response',
      requestId,
      success: false,
      error: 'No',
      retryAfterMs: 5,
      ...failure,
    });
    await expect(asked).rejects.toMatchObject({
      name: 'RemoteRequestError',
      message: 'No',
      retryAfterMs: 5,
      ...failure,
    });
  });

  test.each([{}, { code: 7, error: [], outcome: 1, retryable: 'no', reason: {} }])(
    'that is refused in an odd way rejects all the same: %j',
    async (odd) => {
      const asked = module.remoteRequest('other', 'players', {});
      const { requestId } = await peer.frame({ type: 'remote-request' });
      peer.send({ type: 'remote-response', requestId, ...odd });
      await expect(asked).rejects.toMatchObject({
        code: 'operation_failed',
        message: 'The other world refused',
        outcome: undefined,
        retryable: false,
        reason: undefined,
      });
    },
  );

  test('takes the parameters of its operation and no others', () => {
    // @ts-expect-error -- A skill check needs a skill that exists.
    const wrong = () => module.remoteRequest('other', 'skill-check', { actorUuid: 'Actor.a', skill: 'xyz' });
    // @ts-expect-error -- There is no such operation.
    const unknown = () => module.remoteRequest('other', 'dance', {});
    expect([wrong, unknown]).toHaveLength(2);
  });

  test('ends at its time-out, and a late answer harms nobody', async () => {
    await expect(module.remoteRequest('other', 'players', {}, { timeoutMs: 5 })).rejects.toMatchObject({
      code: 'timeout',
    });
    const { requestId } = await peer.frame({ type: 'remote-request' });
    peer.send({ type: 'remote-response', requestId, success: true, data: {} });
    await roundTrip('after');
  });

  test('fails at once when the connection is lost or absent', async () => {
    const asked = module.remoteRequest('other', 'players', {});
    await peer.frame({ type: 'remote-request' });
    peer.socket.terminate();
    await expect(asked).rejects.toMatchObject({ code: 'connection_lost' });
    module.close();
    await expect(module.knownClients()).rejects.toMatchObject({ code: 'not_connected' });
    expect(module.notify('x')).toBe(false);
  });
});

test('known clients are the relay’s answer without its envelope', async () => {
  const asked = module.knownClients();
  const { requestId } = await peer.frame({ type: 'get-known-clients' });
  const known = { clients: [], tokenScopes: ['user:read'], tokenAllowedTargets: ['b'] };
  peer.send({ type: 'known-clients-result', requestId, ...known });
  expect(await asked).toEqual(known);
});

test.each([
  [
    { code: 'unavailable', message: 'Ask again later.' },
    { code: 'unavailable', message: 'Ask again later.' },
  ],
  [
    { code: 7, message: {} },
    { code: 'operation_failed', message: 'The relay refused' },
  ],
])('a question that the relay refuses with %j is rejected at once', async (said, failure) => {
  const asked = module.knownClients();
  const { requestId } = await peer.frame({ type: 'get-known-clients' });
  peer.send({ type: 'error', requestId, ...said });
  await expect(asked).rejects.toMatchObject({ name: 'RelayError', ...failure });
});

describe('incoming frames', () => {
  const known = fc.constantFrom(
    'auth-success', 'cancel', 'event-subscription-update', 'remote-response', 'known-clients-result',
    'pong', 'error', 'encounters', 'players', '__proto__', 'toString',
  ); // prettier-ignore
  const frame = fc.record(
    {
      type: known,
      requestId: fc.jsonValue(),
      channel: fc.jsonValue(),
      count: fc.jsonValue(),
      code: fc.jsonValue(),
    },
    { requiredKeys: ['type'] },
  );

  test('of any shape neither throw nor end the connection', async () => {
    let rounds = 0;
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      frame.map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 40 }), async (texts) => {
        for (const each of texts) peer.socket.send(each);
        peer.socket.send(new Uint8Array([1, 2, 3]));
        await roundTrip(`round ${(rounds += 1)}`);
        expect(module.status.state).toBe('connected');
      }),
      { numRuns: 200 },
    );
    expect(relay.peers).toHaveLength(1);
  });

  test.each([0, -1, 1e12, null, 'x', undefined])(
    'a heartbeat of %j is not taken literally',
    async (value) => {
      relay.heartbeatMs = value as number;
      module.close();
      const startedAt = performance.now();
      await module.connect();
      peer = await relay.nextPeer();
      await roundTrip('one');
      await roundTrip('two');
      // Ten a second at most, however slow the machine is.
      const pings = peer.received.filter(({ type }) => type === 'ping').length;
      expect(pings).toBeLessThanOrEqual((performance.now() - startedAt) / 100);
      expect(peer.received).toHaveLength(2 + pings);
    },
  );
});
