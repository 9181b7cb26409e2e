import { measureRunningTime } from '@tabletop-relay/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRedisCluster } from '../src/redis/redis-cluster.ts';
import { ROUTE } from '../src/redis/scripts/calls.ts';
import { failureOf, startInstance } from './conformance/fleet.ts';
import type { FaultFleet } from './fault-fleet.ts';
import { bodies, openFaultFleet, soon, startPair } from './fault-fleet.ts';

const client = 'client-1';

let fleet: FaultFleet;
beforeEach(async () => {
  fleet = await openFaultFleet();
});
afterEach(() => fleet.close());

/** Makes a call that has reached its owner. The owner answers when `answer` is called. */
async function askAndHold() {
  const [asker, owner] = await startPair(fleet);
  await owner.connect(client);
  const { promise: told, resolve: answer } = Promise.withResolvers<void>();
  owner.answer = async ({ body }) => {
    await told;
    return { head: {}, body };
  };
  const call = asker.ask(client, 'once');
  await vi.waitFor(() => expect(bodies(owner)).toContain('once'), soon);
  return { asker, owner, call, answer };
}

describe('a connection that is cut', () => {
  test('between a script and its answer lets the command run once, and its reply still comes', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    await asker.ask(client, 'first, so that Redis knows the script');
    const cut = asker.network.cutBeforeAnswerTo(ROUTE.sha);
    expect(await asker.ask(client, 'once')).toBe('once');
    await cut;
    await vi.waitFor(async () => expect(await asker.ask(client, 'later')).toBe('later'), soon);
    expect(bodies(owner).filter((body) => body === 'once')).toEqual(['once']);
  });

  test('together with its subscription still brings the reply that nobody heard', async () => {
    const { asker, owner, call, answer } = await askAndHold();
    asker.network.cut();
    // The asker's subscription is cut, so it does not receive the reply.
    answer();
    expect(await call).toBe('once');
    expect(bodies(owner)).toEqual(['once']);
  });

  test('together with its subscription leaves the outcome unknown when no reply comes soon', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    const echo = owner.answer;
    owner.answer = () => new Promise(() => {});
    const call = failureOf(asker.ask(client, 'once'));
    await vi.waitFor(() => expect(bodies(owner)).toContain('once'), soon);
    asker.network.cut();
    const ranMs = measureRunningTime();
    expect(await call).toMatchObject({ reason: 'lost', sent: true });
    expect(ranMs()).toBeLessThan(4_000);
    owner.answer = echo;
    await vi.waitFor(async () => expect(await asker.ask(client, 'later')).toBe('later'), soon);
    expect(bodies(owner).filter((body) => body === 'once')).toEqual(['once']);
  });

  test('when the owner answers lets its reply come once the connection is back', async () => {
    const { owner, call, answer } = await askAndHold();
    owner.network.cut('relay-commands');
    await vi.waitFor(() => expect(owner.cluster.health().state).toBe('degraded'), { ...soon, interval: 1 });
    answer();
    expect(await call).toBe('once');
    expect(bodies(owner)).toEqual(['once']);
  });

  test('at both ends at once brings the reply that was made meanwhile', async () => {
    const { asker, owner, call, answer } = await askAndHold();
    asker.network.cut();
    owner.network.cut();
    answer();
    expect(await call).toBe('once');
    expect(bodies(owner)).toEqual(['once']);
  });

  test('tells the listeners of messages to all that some may be missing', async () => {
    const [instance] = await startPair(fleet);
    const gaps = vi.fn<() => void>();
    instance.cluster.broadcast.onGap(gaps);
    instance.network.cut('relay-subscriber');
    await vi.waitFor(() => expect(gaps).toHaveBeenCalledTimes(1), soon);
    const heard = vi.fn<(message: string) => void>();
    instance.cluster.broadcast.subscribe('keys', heard);
    await instance.cluster.broadcast.publish('keys', 'again');
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith('again'), soon);
  });
});

describe('a subscription that dies silently', () => {
  test('is noticed and made again; calls meanwhile are not sent, and lost replies are given up', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    asker.network.blackHole('relay-subscriber');
    const unheard = failureOf(asker.ask(client, 'x'));
    await vi.waitFor(() => expect(asker.cluster.health().state).toBe('deaf'), { ...soon, interval: 2 });
    await expect(asker.ask(client, 'y')).rejects.toMatchObject({ reason: 'unavailable', sent: false });
    await vi.waitFor(() => expect(asker.cluster.health().state).toBe('up'), soon);
    expect(await asker.ask(client, 'z')).toBe('z');
    expect(await unheard).toMatchObject({ reason: 'lost', sent: true });
    expect(bodies(owner)).toEqual(['x', 'z']);
  });
});

describe('a monitor that listens to every channel', () => {
  test('does not make a reply look heard that its asker missed', async () => {
    const monitor = fleet.store.duplicate();
    await monitor.psubscribe('*');
    const { asker, owner, call, answer } = await askAndHold();
    const published = new Promise((resolve) => monitor.once('pmessage', resolve));
    asker.network.cut();
    answer();
    expect(await call).toBe('once');
    expect(bodies(owner)).toEqual(['once']);
    await published;
    monitor.disconnect();
  });
});

describe('the reply channels', () => {
  test('stand before calls need them, are no patterns, and become more where many calls wait', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    expect(await fleet.store.pubsub('NUMPAT')).toBe(0);
    const channels = () => fleet.store.pubsub('CHANNELS', `r:reply:${asker.cluster.boot}:*`);
    expect(await channels()).toHaveLength(256);
    const { promise: told, resolve: answer } = Promise.withResolvers<void>();
    owner.answer = async ({ body }) => {
      await told;
      return { head: {}, body };
    };
    const calls = Array.from({ length: 1_000 }, (_, index) => asker.ask(client, `call ${index}`));
    await vi.waitFor(() => expect(owner.delivered).toHaveLength(1_000), soon);
    await vi.waitFor(async () => expect(await channels()).toHaveLength(2_048), soon);
    answer();
    expect(await Promise.all(calls)).toEqual(calls.map((_, index) => `call ${index}`));
    expect(await asker.ask(client, 'later')).toBe('later');
    expect((await channels()).length).toBe(2_048);
  });
});

describe('an instance with another list of shards', () => {
  test('does not start', async () => {
    await startPair(fleet);
    const shards = [fleet.url, fleet.url.replace('#', '?#')];
    const other = createRedisCluster({ instanceId: 'other', shards, holds: fleet.holds });
    await expect(startInstance(other)).rejects.toThrow('another list of Redis shards');
  });
});
