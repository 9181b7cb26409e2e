import { channels } from '@tabletop-relay/contract';
import type { ChannelDefinition } from '@tabletop-relay/contract';
import type { FakeModule } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { drivers, startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { openSse } from './sse.ts';
import type { SseOptions, SseReader } from './sse.ts';

const within = { timeout: 15_000, interval: 5 };

describe.each(drivers)('event streams over %s', (driver) => {
  let two: TwoInstances;
  let account: TestAccount;
  let key: string;
  let world: Pairing;
  let module: FakeModule;
  const readers: SseReader[] = [];
  beforeAll(async () => {
    two = await startTwo(driver);
    account = await createAccount(two.first.url);
    key = await account.createKey();
    world = await account.pair();
    module = await connectModule(two.first.url, world);
  });
  afterAll(async () => {
    for (const reader of readers) reader.close();
    await module.close();
    await two.stop();
  });

  async function listen(path: string, options: SseOptions = {}, at = two.second): Promise<SseReader> {
    const address = `${at.url}${path}${path.includes('?') ? '&' : '?'}clientId=${world.clientId}`;
    const reader = await openSse(address, { key, ...options });
    readers.push(reader);
    return reader;
  }

  /** Waits until the module was told that somebody listens. */
  async function isWanted(wire: string) {
    const isTold = () =>
      module.received.findLast(
        ({ type, channel }) => type === 'event-subscription-update' && channel === wire,
      );
    await vi.waitFor(() => expect(isTold()?.['count']).toBeGreaterThan(0), within);
  }

  const definitions = Object.entries<ChannelDefinition>(channels);
  const repeatedIn = ({ repeated, example }: ChannelDefinition) =>
    repeated === 'data' ? { data: example } : (example['data'] as object);

  it.each(definitions)('bring the events of the channel %s to every instance', async (name, channel) => {
    const listeners = [await listen(channel.path, {}, two.first), await listen(channel.path)];
    await isWanted(channel.wire);
    module.send({ type: channel.frame, data: channel.example });
    for (const reader of listeners) {
      expect(reader.headers['content-type']).toBe('text/event-stream');
      const { data } = await reader.next('connected');
      expect(data).toEqual({ clientId: world.clientId, channel: name, recovered: false });
      const event = await reader.next(Object.keys(channel.events).find((one) => isNamed(channel, one))!);
      const timestamp = expect.any(Number) as number;
      const facts = { clientId: world.clientId, channel: name, timestamp };
      expect(event.data).toEqual({ ...repeatedIn(channel), ...channel.example, ...facts });
      expect(event.id).toMatch(/^[\w-]{16}:\d+$/);
      expect(reader.retryMs()).toBe(3_000);
    }
  });

  it('go on behind the Last-Event-ID, and say so', async () => {
    const first = await listen('/encounters/subscribe');
    await isWanted('combat-events');
    module.send({ type: 'combat-event', data: { eventType: 'turn', encounterId: 'a', turn: 1 } });
    const { id } = await first.next('combat-turn');
    first.close();
    module.send({ type: 'combat-event', data: { eventType: 'turn', encounterId: 'a', turn: 2 } });
    const again = await listen('/encounters/subscribe', { lastId: id });
    expect((await again.next('connected')).data).toMatchObject({ recovered: true });
    await vi.waitFor(() => expect(again.data()).toMatchObject([{ turn: 2 }]), within);
  });

  it('start anew, and say so, where the id is unknown', async () => {
    for (const lastId of ['nonsense', `${'x'.repeat(16)}:7`, '1', 'a:b:c']) {
      const reader = await listen('/encounters/subscribe', { lastId });
      expect((await reader.next('connected')).data).toMatchObject({ recovered: false });
    }
  });
});

function isNamed(channel: ChannelDefinition, name: string): boolean {
  const { prefix, field } = channel.named;
  return name === (field === undefined ? prefix : prefix + String(channel.example[field]));
}
