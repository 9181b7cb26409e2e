import { measureRunningTime } from '@tabletop-relay/testing';
import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { BusFailure } from '../../src/failures.ts';
import type { Suite, TestInstance } from './fleet.ts';
import { failureOf, testAccount } from './fleet.ts';

/** Promises of the bus. */
export function describeCalls(suite: Suite): void {
  test('reach the instance that owns the client, and the reply comes back', async () => {
    const [asker, owner] = await suite.pair();
    const { conn } = await owner.connect(suite.client);
    expect(await asker.ask(suite.client, '{"a":1}')).toBe('{"a":1}');
    expect(owner.delivered).toMatchObject([
      { clientId: suite.client, conn, head: { asked: 'ü' }, body: Buffer.from('{"a":1}') },
    ]);
    expect(owner.delivered[0]?.budgetMs).toBeGreaterThan(9_000);
    expect(owner.delivered[0]?.budgetMs).toBeLessThanOrEqual(10_050);
  });

  test('work when the asker owns the client itself', async () => {
    const [owner] = await suite.pair();
    await owner.connect(suite.client);
    expect(await owner.ask(suite.client, 'here')).toBe('here');
  });

  test('carry heads and bodies as they are, in any bytes and alphabet', async () => {
    const [asker, owner] = await suite.pair();
    const name = `${suite.client}-ß日`;
    await owner.connect(name);
    const body = randomBytes(3_000);
    owner.answer = (command) => Promise.resolve({ head: { status: 'ü€' }, body: command.body });
    const reply = await asker.cluster.bus.call({
      clientId: name,
      accountId: testAccount,
      head: {},
      body,
      budgetMs: 5_000,
    });
    expect(reply.head).toEqual({ status: 'ü€' });
    expect(reply.body.equals(body)).toBe(true);
    expect(await asker.ask(name, '')).toBe('');
  });

  test.each([100_000, 300_000, 8_000_000])('carry a body of %i bytes both ways', async (size) => {
    const [asker, owner] = await suite.pair();
    await owner.connect(suite.client);
    const body = randomBytes(size / 2).toString('hex');
    expect((await asker.ask(suite.client, body)) === body).toBe(true);
  });

  test('of which 1,000 run at once are each delivered once and answered with their own reply', async () => {
    const [first, second, third] = (await suite.start(3)) as [TestInstance, TestInstance, TestInstance];
    const clients = Array.from({ length: 20 }, (_, index) => `${suite.client}-${index}`);
    for (const one of clients) await third.connect(one);
    third.answer = async ({ body }) => {
      if (body.length % 2) await new Promise((resolve) => setImmediate(resolve));
      return { head: {}, body: Buffer.from(`reply to ${body.toString()}`) };
    };
    const calls = Array.from({ length: 1_000 }, (_, index) => index);
    const replies = await Promise.all(
      calls.map((call) => (call % 2 ? first : second).ask(clients[call % 20] ?? '', `call ${call}`)),
    );
    expect(replies).toEqual(calls.map((call) => `reply to call ${call}`));
    const delivered = third.delivered.map(({ body }) => body.toString());
    expect(delivered.toSorted()).toEqual(calls.map((call) => `call ${call}`).toSorted());
  });

  test("for another account's client, or for nobody's, find no owner and are not sent", async () => {
    const [asker, owner] = await suite.pair();
    await owner.connect(suite.client, { accountId: 'account-2' });
    const notFound = { reason: 'no_owner', sent: false };
    await expect(asker.ask(suite.client, 'x')).rejects.toMatchObject(notFound);
    await expect(asker.ask(`${suite.client}-unknown`, 'x')).rejects.toMatchObject(notFound);
    expect(owner.delivered).toEqual([]);
  });

  test('without an answer time out at their deadline, and the owner hears of it', async () => {
    const [asker, owner] = await suite.pair();
    await owner.connect(suite.client);
    const gaveUp = hang(owner);
    const since = performance.now();
    const ranMs = measureRunningTime();
    await expect(asker.ask(suite.client, 'x', { budgetMs: 200 })).rejects.toMatchObject({
      reason: 'timeout',
      sent: true,
    });
    expect(performance.now() - since).toBeGreaterThanOrEqual(199);
    expect(ranMs()).toBeLessThan(600);
    await gaveUp;
  });

  test('whose caller hangs up end at once, and the owner hears of it', async () => {
    const [asker, owner] = await suite.pair();
    await owner.connect(suite.client);
    const gaveUp = hang(owner);
    const caller = new AbortController();
    const call = asker.ask(suite.client, 'x', { signal: caller.signal });
    await vi.waitFor(() => expect(owner.delivered).toHaveLength(1), { timeout: 10_000, interval: 2 });
    caller.abort();
    await expect(call).rejects.toMatchObject({ reason: 'aborted', sent: true });
    await gaveUp;
  });

  test('that the owner refuses fail as it says; any other error of it leaves the outcome open', async () => {
    const [asker, owner] = await suite.pair();
    await owner.connect(suite.client);
    owner.answer = () => Promise.reject(new BusFailure('unavailable', false, 'full up'));
    await expect(asker.ask(suite.client, 'x')).rejects.toMatchObject({
      reason: 'unavailable',
      sent: false,
      message: 'full up',
    });
    owner.answer = () => Promise.reject(new Error('a bug'));
    await expect(asker.ask(suite.client, 'x')).rejects.toMatchObject({ reason: 'lost', sent: true });
  });

  test('fail at once when their owner stops', async () => {
    const [asker, owner] = await suite.pair();
    await owner.connect(suite.client);
    void hang(owner);
    const call = failureOf(asker.ask(suite.client, 'x'));
    await vi.waitFor(() => expect(owner.delivered).toHaveLength(1), { timeout: 10_000, interval: 2 });
    await owner.cluster.stop();
    const ranMs = measureRunningTime();
    expect(await call).toMatchObject({ reason: 'lost', sent: true });
    expect(ranMs()).toBeLessThan(500);
  });
}

/** Makes the owner never answer. Resolves when the owner is told that the asker gave up. */
function hang(owner: TestInstance): Promise<void> {
  return new Promise((gaveUp) => {
    owner.answer = (_command, signal) =>
      new Promise(() => signal.addEventListener('abort', () => gaveUp(), { once: true }));
  });
}
