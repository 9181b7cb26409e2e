import { measureRunningTime } from '@tabletop-relay/testing';
import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { Suite, TestInstance } from './fleet.ts';

const newHandover = (): string => randomBytes(18).toString('base64url');
const soon = { timeout: 10_000, interval: 2 };

/** Promises about an owner that leaves, and the client's next socket. */
export function describeHandovers(suite: Suite): void {
  async function offered(): Promise<{
    first: TestInstance;
    second: TestInstance;
    conn: string;
    handover: string;
  }> {
    const [first, second] = await suite.pair();
    const { conn } = await first.connect(suite.client);
    const handover = newHandover();
    await first.cluster.directory.offer(suite.client, conn, handover);
    return { first, second, conn, handover };
  }

  test('that is offered leaves the client with its owner, online and in service', async () => {
    const { first, second } = await offered();
    expect(first.cluster.directory.authority(suite.client)).toBe('owner');
    expect(await second.ask(suite.client, 'still here')).toBe('still here');
    const found = await second.cluster.directory.find([suite.client]);
    expect(found.get(suite.client)).toMatchObject({ moving: false });
  });

  test('lets whoever brings it claim at once, and the old owner acts no more', async () => {
    const { first, second, conn, handover } = await offered();
    const ranMs = measureRunningTime();
    const next = await second.connect(suite.client, { handover });
    expect(next).toMatchObject({ outcome: 'mine' });
    expect(ranMs()).toBeLessThan(1_000);
    await vi.waitFor(() => expect(first.evicted).toEqual([{ conn, why: 'handed_over' }]), soon);
    expect(first.cluster.directory.authority(suite.client)).toBe('frozen');
    expect(await first.ask(suite.client, 'to the next')).toBe('to the next');
    expect(second.delivered).toMatchObject([{ conn: next.conn }]);
    await first.disconnect(suite.client, conn);
    expect(second.cluster.directory.authority(suite.client)).toBe('owner');
  });

  test('leaves the calls in flight to the old owner', async () => {
    const { first, second, handover } = await offered();
    const finish = Promise.withResolvers<void>();
    first.answer = ({ body }) => finish.promise.then(() => ({ head: {}, body }));
    const call = second.ask(suite.client, 'in flight');
    await vi.waitFor(() => expect(first.delivered).toHaveLength(1), soon);
    await second.connect(suite.client, { handover });
    await vi.waitFor(() => expect(first.evicted).toHaveLength(1), soon);
    finish.resolve();
    expect(await call).toBe('in flight');
    expect(second.delivered).toEqual([]);
  });

  test.each(['without it', 'with a wrong one', 'with the offered text but one letter'])(
    'does not open the client to a newcomer %s',
    async (how) => {
      const { first, second, handover } = await offered();
      const texts: Record<string, string> = {
        'with a wrong one': newHandover(),
        'with the offered text but one letter': `${handover.slice(0, -1)}!`,
      };
      const text = texts[how];
      const newcomer = await second.connect(suite.client, text ? { handover: text } : {});
      expect(newcomer).toMatchObject({ outcome: 'duplicate', instanceId: 'instance-1' });
      expect(first.cluster.directory.authority(suite.client)).toBe('owner');
      expect(first.evicted).toEqual([]);
    },
  );

  test('opens one claim only', async () => {
    const { first, second, handover } = await offered();
    await second.connect(suite.client, { handover });
    expect(await first.connect(suite.client, { handover })).toMatchObject({ outcome: 'duplicate' });
    expect(second.cluster.directory.authority(suite.client)).toBe('owner');
  });

  test('of one client opens no other', async () => {
    const { first, second, handover } = await offered();
    const other = `${suite.client}-other`;
    const { conn } = await first.connect(other);
    await first.cluster.directory.offer(other, conn, newHandover());
    expect(await second.connect(other, { handover })).toMatchObject({ outcome: 'duplicate' });
    expect(await second.connect(suite.client, { handover })).toMatchObject({ outcome: 'mine' });
  });

  test('is offered by the owner alone', async () => {
    const [first, second] = await suite.pair();
    await first.connect(suite.client);
    const handover = newHandover();
    await second.cluster.directory.offer(suite.client, 'not the owner', handover);
    await first.cluster.directory.offer(suite.client, 'not the owner', handover);
    expect(await second.connect(suite.client, { handover })).toMatchObject({ outcome: 'duplicate' });
  });

  test('may be late: a client that was released as moving is anybody’s', async () => {
    const { first, second, conn, handover } = await offered();
    await first.disconnect(suite.client, conn, 30_000);
    await expect(second.ask(suite.client, 'x')).rejects.toMatchObject({ reason: 'unavailable', sent: false });
    expect(await second.connect(suite.client, { handover })).toMatchObject({ outcome: 'mine' });
  });

  test('of 1,000 calls in a row loses none, however they fall', async () => {
    const { first, second, handover } = await offered();
    const calls = Array.from({ length: 1_000 }, (_, index) => `call ${index}`);
    const asked: Promise<string>[] = [];
    for (const call of calls) {
      asked.push((asked.length % 2 ? first : second).ask(suite.client, call));
      if (asked.length === 500) void second.connect(suite.client, { handover });
      if (asked.length % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(asked)).toEqual(calls);
    const delivered = [...first.delivered, ...second.delivered].map(({ body }) => body.toString());
    expect(delivered.toSorted()).toEqual(calls.toSorted());
    expect(second.delivered.length).toBeGreaterThan(0);
  });
}
