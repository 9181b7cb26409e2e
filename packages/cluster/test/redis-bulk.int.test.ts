import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Reply } from '../src/cluster.ts';
import { failureOf } from './conformance/fleet.ts';
import type { FaultFleet, NetworkedInstance } from './fault-fleet.ts';
import { openFaultFleet, sampleAuthorities, soon, startPair } from './fault-fleet.ts';

const client = 'client-1';
const megabyte = 1 << 20;

let fleet: FaultFleet;
beforeEach(async () => {
  fleet = await openFaultFleet();
});
afterEach(() => fleet.close());

/** Makes the owner answer each command `<number>` with as many bytes as `bytes` says. Tells which count as in flight. */
function answerLarge(owner: NetworkedInstance, bytes: number): { held: () => number[] } {
  const held = new Set<number>();
  owner.answer = (command) => {
    const number = Number(command.body.toString());
    held.add(number);
    const body = Buffer.alloc(bytes, number);
    return Promise.resolve({ head: { size: 'large' }, body, release: () => void held.delete(number) });
  };
  return { held: () => [...held] };
}

function ask(asker: NetworkedInstance, number: number, accountId = 'account-1', clientId = client) {
  const call = { clientId, accountId, head: {}, body: Buffer.from(String(number)), budgetMs: 10_000 };
  const caller = new AbortController();
  return { reply: asker.cluster.bus.call(call, caller.signal), hangUp: () => caller.abort() };
}

/** Resolves when the first chunk of a reply is published. */
async function firstChunk(): Promise<void> {
  const monitor = fleet.store.duplicate();
  await monitor.psubscribe('r:bulk:*');
  await new Promise((resolve) => monitor.once('pmessage', resolve));
  monitor.disconnect();
}

const isFilledWith = ({ body }: Reply, bytes: number, number: number): boolean =>
  body.length === bytes && body.equals(Buffer.alloc(bytes, number));

describe('large replies', () => {
  test('of 8 MB, 30 at once, come whole, and the owner keeps its lease and its right to act', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    const bytes = 8 * megabyte;
    const { held } = answerLarge(owner, bytes);
    const authorities = sampleAuthorities([owner], client);
    const numbers = Array.from({ length: 30 }, (_, index) => index);
    const whole = await Promise.all(
      numbers.map(async (number) => {
        const reply = await ask(asker, number).reply;
        const isWhole = isFilledWith(reply, bytes, number);
        reply.release?.();
        return isWhole;
      }),
    );
    expect(whole).toEqual(numbers.map(() => true));
    expect(authorities.stop()).toEqual([['owner']]);
    await vi.waitFor(() => expect(held()).toEqual([]), soon);
  });

  test('of 250 KB, 200 at once, outlast an asker that reads nothing for a while', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    const bytes = 250 * 1024;
    answerLarge(owner, bytes);
    const calls = Array.from({ length: 200 }, (_, index) => ask(asker, index).reply);
    asker.network.blackHole('relay-subscriber');
    asker.network.blackHole('relay-bulk-subscriber');
    setTimeout(() => asker.network.heal(), 300);
    const replies = await Promise.all(
      calls.map(async (call, index) => {
        const reply = await call;
        const isWhole = isFilledWith(reply, bytes, index);
        reply.release?.();
        return isWhole;
      }),
    );
    expect(replies).toEqual(calls.map(() => true));
  });

  test('of one account that are not read leave room for those of another', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    await owner.connect('client-2', { accountId: 'account-2' });
    const bytes = 12 * megabyte;
    answerLarge(owner, bytes);
    // Two of these fill the account's share. Nobody reads them, so the third waits.
    const unread = await Promise.all([ask(asker, 1).reply, ask(asker, 2).reply]);
    const third = ask(asker, 3).reply;
    const other = await ask(asker, 4, 'account-2', 'client-2').reply;
    expect(isFilledWith(other, bytes, 4)).toBe(true);
    expect(await Promise.race([third, Promise.resolve('waits')])).toBe('waits');
    unread[0]?.release?.();
    expect(isFilledWith(await third, bytes, 3)).toBe(true);
  });

  test('whose subscription is cut on the way are lost, with an unknown outcome, and the next one comes', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    const { held } = answerLarge(owner, 12 * megabyte);
    asker.network.latencyMs = 20;
    const started = firstChunk();
    const call = failureOf(ask(asker, 1).reply);
    await started;
    asker.network.cut('relay-bulk-subscriber');
    expect(await call).toMatchObject({ reason: 'lost', sent: true });
    asker.network.latencyMs = 0;
    expect(isFilledWith(await ask(asker, 2).reply, 12 * megabyte, 2)).toBe(true);
    await vi.waitFor(() => expect(held()).toEqual([]), soon);
  });

  test('whose caller hangs up on the way end at once, and the owner lets them go', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    const { held } = answerLarge(owner, 12 * megabyte);
    asker.network.latencyMs = 20;
    const started = firstChunk();
    const { reply, hangUp } = ask(asker, 1);
    const failure = failureOf(reply);
    await started;
    hangUp();
    expect(await failure).toMatchObject({ reason: 'aborted', sent: true });
    await vi.waitFor(() => expect(held()).toEqual([]), soon);
  });

  test('that are on their way when their owner stops still come', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    const { held } = answerLarge(owner, 12 * megabyte);
    const call = ask(asker, 1).reply;
    await vi.waitFor(() => expect(held()).toHaveLength(1), { ...soon, interval: 1 });
    await owner.cluster.stop();
    expect(isFilledWith(await call, 12 * megabyte, 1)).toBe(true);
  });

  test('that wait for room when their owner stops still come', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    const bytes = 12 * megabyte;
    const { held } = answerLarge(owner, bytes);
    // They fill the account's share.
    const unread = await Promise.all([ask(asker, 1).reply, ask(asker, 2).reply]);
    const call = ask(asker, 3).reply;
    await vi.waitFor(() => expect(held()).toEqual([3]), soon);
    setTimeout(() => unread[0]?.release?.(), 3_000);
    const [reply] = await Promise.all([call, owner.cluster.stop()]);
    expect(isFilledWith(reply, bytes, 3)).toBe(true);
  });

  test('whose chunks are read a little late still come when their owner stops', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    const bytes = 400 * 1024;
    const left = Promise.withResolvers<void>();
    let stopped: Promise<void> | undefined;
    owner.answer = () => {
      // It is on its way by then.
      setImmediate(() => void (stopped = owner.cluster.stop()));
      const body = Buffer.alloc(bytes, 1);
      return Promise.resolve({ head: { size: 'large' }, body, release: () => left.resolve() });
    };
    asker.network.blackHole('relay-bulk-subscriber');
    const call = ask(asker, 1).reply;
    await left.promise;
    setTimeout(() => asker.network.heal(), 100);
    expect(isFilledWith(await call, bytes, 1)).toBe(true);
    await stopped;
  });
});

describe('a large command', () => {
  test('is stored for its owner until the owner fetches it', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    const body = 'x'.repeat(900_000);
    expect(await asker.ask(client, body)).toBe(body);
    expect(owner.delivered).toHaveLength(1);
    expect(await fleet.store.keys('r:command:*')).toEqual([]);
  });

  test('that cannot be stored is not sent', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    asker.network.cut('relay-bulk\r');
    const call = failureOf(asker.ask(client, 'x'.repeat(900_000)));
    expect(await call).toMatchObject({ reason: 'unavailable', sent: false });
    expect(owner.delivered).toEqual([]);
    await vi.waitFor(async () => expect(await asker.ask(client, 'y'.repeat(900_000))).toContain('y'), soon);
  });
});
