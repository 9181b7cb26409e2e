import { channelNames, channels } from '@tabletop-relay/contract';
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { connected, relayWith, take, tell, turn } from '../../test/follow.ts';
import { listeners, stopStreams } from '../../test/stream-server.ts';
import type { Listener, Refusal, Script } from '../../test/stream-server.ts';
import { createRelay } from '../create-relay.ts';
import type { StreamEvent } from './stream-event.ts';

afterEach(stopStreams);

test.each(channelNames)('the channel %s is a method that asks by its path, filters and key', async (name) => {
  const { path, filters } = channels[name];
  const given = Object.fromEntries(Object.keys(filters).map((filter) => [filter, [filter, 'two']]));
  const relay = await relayWith([(listener) => listener.send('connected', connected)]);
  const follow = relay.events[name] as (given: object) => AsyncIterable<{ event: string }>;
  for await (const { event } of follow(given)) {
    expect(event).toBe('connected');
    break;
  }
  const [asked] = listeners;
  const url = new URL(asked?.path ?? '', 'http://relay');
  expect(url.pathname).toBe(path);
  const query = Object.keys(filters).map((filter) => [filter, `${filter},two`]);
  expect(Object.fromEntries(url.searchParams)).toEqual({ clientId: 'demo', ...Object.fromEntries(query) });
  expect(asked?.headers).toMatchObject({ 'x-api-key': 'trk_key', accept: 'text/event-stream' });
  expect(asked?.headers).not.toHaveProperty('last-event-id');
});

test('a filter that a program leaves undefined is none, and a world that it leaves undefined is the usual one', async () => {
  const relay = await relayWith([(listener) => listener.send('connected', connected)]);
  for await (const _event of relay.events.combat({ encounterId: undefined, clientId: undefined })) break;
  expect(listeners[0]?.path).toBe(`${channels.combat.path}?clientId=demo`);
});

describe('events', () => {
  test('come with name, id and data, those of the relay too', async () => {
    const gap = { clientId: 'demo', channel: 'combat', dropped: 3 };
    const events = await take(
      [
        (listener) => {
          listener.send('connected', { ...connected, recovered: false }, 'g:4');
          listener.send('combat-turn', turn(2), 'g:5');
          listener.send('gap', gap, 'g:8');
        },
      ],
      3,
    );
    expect(events).toEqual([
      { event: 'connected', id: 'g:4', data: { ...connected, recovered: false } },
      { event: 'combat-turn', id: 'g:5', data: turn(2) },
      { event: 'gap', id: 'g:8', data: gap },
    ]);
  });

  test('may be cut anywhere on the way, between the bytes of a character too', async () => {
    const [, event] = await take(
      [
        (listener) => {
          listener.send('connected', connected);
          const bytes = Buffer.from(
            `event: combat-turn\r\ndata: ${JSON.stringify({ note: 'Bjørn ⚔' })}\r\n\r\n`,
          );
          for (const byte of bytes) listener.write(Uint8Array.of(byte));
        },
      ],
      2,
    );
    expect(event).toMatchObject({ event: 'combat-turn', data: { note: 'Bjørn ⚔' } });
  });

  test('are typed by the contract', () => {
    type Combat = StreamEvent<'combat'>;
    expectTypeOf<Extract<Combat, { event: 'connected' }>['data']['recovered']>().toEqualTypeOf<boolean>();
    const narrow = (event: Combat) => (event.event === 'gap' ? event.data.dropped : undefined);
    expectTypeOf(narrow).returns.toEqualTypeOf<number | null | undefined>();
    const world = (event: Combat) => (event.event === 'combat-end' ? event.data.encounterId : '');
    expectTypeOf(world).returns.toEqualTypeOf<string>();
    const { events } = createRelay({ url: 'http://relay', apiKey: 'k' });
    expectTypeOf(events.rolls).toBeCallableWith({ userId: 'ada' });
    expectTypeOf(events.actor).toBeCallableWith();
    expectTypeOf(events.chat).toBeCallableWith({ whisperOnly: true });
  });
});

describe('a stream that cannot be opened', () => {
  test.each<Refusal>([
    { status: 401, code: 'key_invalid' },
    { status: 404, code: 'client_offline' },
    { status: 429, code: 'rate_limited', retryAfter: 0 },
  ])('fails at once at %j', async (refusal) => {
    await expect(take([refusal], 1)).rejects.toMatchObject({ code: refusal.code, status: refusal.status });
    expect(listeners).toHaveLength(1);
  });

  test('is tried as often as the program says', async () => {
    const refusal = { status: 429, code: 'rate_limited', retryAfter: 0 };
    await take([refusal, refusal, (listener) => tell(listener, 1)], 1, { retries: 2 });
    expect(listeners).toHaveLength(3);
  });

  test.each<[string, Script]>([
    ['has events that are not JSON', (listener) => listener.write('event: combat-turn\ndata: <html>\n\n')],
    ['has an event without an end', (listener) => listener.write(`data: ${'x'.repeat(18 * 2 ** 20)}`)],
  ])('is not the relay’s where it %s, and is left', async (_what, script) => {
    await expect(take([script], 1)).rejects.toMatchObject({ code: 'bad_answer', retryable: false });
    expect(listeners).toHaveLength(1);
    await listeners[0]?.closed;
  });

  test.each([{ 'content-type': 'text/html' }, {}])(
    'is not the relay’s where it is no stream: %j',
    async (headers) => {
      const answer = () => Promise.resolve(new Response(Buffer.from('<html>'), { headers }));
      await expect(take([], 1, { fetch: answer })).rejects.toMatchObject({ code: 'bad_answer' });
    },
  );
});

describe('a stream is ended', () => {
  test('by leaving the loop', async () => {
    expect(await take([(listener) => tell(listener, 1)], 2)).toHaveLength(2);
    await listeners[0]?.closed;
  });

  test('by a failure in the loop', async () => {
    const relay = await relayWith([(listener) => tell(listener, 1)]);
    const loop = async () => {
      for await (const event of relay.events.combat()) throw new Error(event.event);
    };
    await expect(loop()).rejects.toThrow('connected');
    await listeners[0]?.closed;
  });

  test('by its signal while it waits for an event, without an error', async () => {
    const relay = await relayWith([(listener) => tell(listener, 1)]);
    const end = new AbortController();
    const seen: string[] = [];
    for await (const { event } of relay.events.combat({}, { signal: end.signal })) {
      seen.push(event);
      if (seen.length === 2) setImmediate(() => end.abort());
    }
    expect(seen).toEqual(['connected', 'combat-turn']);
    await listeners[0]?.closed;
  });

  test('by its signal while it waits to come back', async () => {
    const end = new AbortController();
    const onInterrupted = () => end.abort();
    const script: Script = (listener) => (
      tell(listener, 1),
      listener.write('retry: 60000\n\n'),
      listener.end()
    );
    expect(await take([script], 9, { signal: end.signal, onInterrupted })).toHaveLength(2);
    expect(listeners).toHaveLength(1);
  });

  test('by a signal that was aborted before', async () => {
    expect(await take([(listener) => tell(listener, 1)], 9, { signal: AbortSignal.abort() })).toEqual([]);
    expect(listeners).toEqual([]);
  });

  test('while somebody else waits for its next event', async () => {
    const relay = await relayWith([(listener) => tell(listener)]);
    const events = relay.events.combat()[Symbol.asyncIterator]();
    await events.next();
    const pending = events.next();
    await events.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
    await listeners[0]?.closed;
  });
});

test('a program that is slow slows its own connection alone: nothing is piled up', async () => {
  const event = `event: combat-turn\ndata: {"pad":"${'x'.repeat(64 * 1024)}"}\n\n`;
  const all = 500;
  let left = 0;
  const pour = (listener: Listener) => {
    if (left < all) listener.write(event, () => ((left += 1), pour(listener)));
  };
  const relay = await relayWith([(listener) => (tell(listener), pour(listener))]);
  let [seen, leftWhileBusy] = [0, 0];
  for await (const { event: name } of relay.events.combat()) {
    if (name === 'connected') {
      await untilStill(() => left);
      leftWhileBusy = left;
    } else if ((seen += 1) === all) break;
  }
  expect(leftWhileBusy).toBeLessThan(all / 2);
});

/** Waits until a number has not changed for a while. */
async function untilStill(read: () => number): Promise<void> {
  let [before, times] = [-1, 0];
  await vi.waitUntil(
    () => {
      times = read() === before ? times + 1 : 0;
      before = read();
      return times === 20;
    },
    { timeout: 20_000, interval: 10 },
  );
}
