import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { relayWith, take, tell } from '../../test/follow.ts';
import { listeners, stopStreams } from '../../test/stream-server.ts';
import type { Refusal, Script } from '../../test/stream-server.ts';
import type { FollowOptions } from './event-streams.ts';
import type { StreamEvent } from './stream-event.ts';

afterEach(stopStreams);

const rounds = (events: StreamEvent<'combat'>[]) =>
  events.flatMap(({ data }) => ('round' in data ? [data.round] : []));

describe('a stream that is interrupted', () => {
  const broken: [string, Script, FollowOptions?][] = [
    ['is cut in the middle of an event', (listener) => (tell(listener, 1, 2), listener.write('id: g:3\nevent: combat-turn\ndata: {"rou', ), setImmediate(listener.cut))],
    ['is ended', (listener) => (tell(listener, 1, 2), listener.end())],
    ['falls silent', (listener) => tell(listener, 1, 2), { silentMs: 1_000 }],
  ]; // prettier-ignore

  test.each(broken)('that %s continues after its last event', async (_how, script, options) => {
    const events = await take([script, (listener) => tell(listener, 3)], 5, options);
    expect(rounds(events)).toEqual([1, 2, 3]);
    expect(listeners.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'g:2']);
  });

  test('continues at the place that a sign of life told', async () => {
    await take(
      [
        (listener) => (tell(listener, 1), listener.write(': alive\nid: g:9\n\n'), listener.end()),
        (listener) => tell(listener, 10),
      ],
      4,
    );
    expect(listeners[1]?.headers['last-event-id']).toBe('g:9');
  });

  test('begins at the place that the program remembers', async () => {
    await take([(listener) => tell(listener, 1)], 1, { lastEventId: 'g:77' });
    expect(listeners[0]?.headers['last-event-id']).toBe('g:77');
  });

  test.each<[Refusal, number]>([
    [{ status: 429, code: 'rate_limited', retryAfter: 0 }, 0],
    [{ status: 503, code: 'unavailable', retryAfter: 0, retryable: true }, 0],
    [{ status: 404, code: 'client_offline' }, 1],
    [{ status: 403, code: 'paused' }, 1],
  ])('is opened again after %j', async (refusal) => {
    const onInterrupted = vi.fn<NonNullable<FollowOptions['onInterrupted']>>();
    const first: Script = (listener) => (tell(listener, 1), listener.end());
    const events = await take([first, refusal, refusal, (listener) => tell(listener, 2)], 4, {
      onInterrupted,
    });
    expect(rounds(events)).toEqual([1, 2]);
    expect(onInterrupted.mock.calls.map(([{ code }]) => code)).toEqual([
      'connection_failed',
      refusal.code,
      refusal.code,
    ]);
  });

  test.each([
    [0, [6, 12, 24]],
    [1, [10, 20, 40]],
  ])('waits as the relay asks, longer each time in vain, by a chance of %d', async (chance, expected) => {
    vi.spyOn(Math, 'random').mockReturnValue(chance);
    onTestFinished(() => void vi.restoreAllMocks());
    const waits: number[] = [];
    const end: Script = (listener) => (listener.write('retry: 8\n\n'), listener.end());
    const first: Script = (listener) => (tell(listener, 1), end(listener));
    const onInterrupted = (_: unknown, waitMs: number) => waits.push(waitMs);
    await take([first, end, end, (listener) => tell(listener, 2)], 4, { onInterrupted });
    expect(waits).toEqual(expected);
  });

  test('leaves no connection open that fell silent', async () => {
    const relay = await relayWith([(listener) => tell(listener, 1)]);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    for await (const _event of relay.events.combat({}, { silentMs: 1_000 })) {
      if (listeners.length === 1) continue;
      await listeners[0]?.closed.then(resolve);
      break;
    }
    await expect(closed).resolves.toBeUndefined();
  });

  test.each<Refusal>([
    { status: 401, code: 'key_invalid' },
    { status: 403, code: 'scope_missing' },
    { status: 404, code: 'client_not_found' },
    { status: 429, code: 'monthly_limit_reached', retryAfter: 86_400 },
  ])('fails for good at %j', async (refusal) => {
    const first: Script = (listener) => (tell(listener, 1), listener.end());
    await expect(take([first, refusal], 9)).rejects.toMatchObject({ code: refusal.code });
    expect(listeners).toHaveLength(2);
  });
});
