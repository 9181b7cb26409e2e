import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Fleet, TestInstance } from './conformance-fleet.ts';
import { failureOf, startInstance, testAccount } from './conformance-fleet.ts';
import { BusFailure } from '../src/failures.ts';

/** What every driver promises, run over each of them. */
export function describeCluster(driver: string, open: () => Promise<Fleet>): void {
  describe(`a cluster over ${driver}`, () => {
    let fleet: Fleet;
    let running: TestInstance[] = [];
    let client = '';

    beforeAll(async () => {
      fleet = await open();
    });
    afterAll(() => fleet.close());
    afterEach(async () => {
      await Promise.all(running.map(({ cluster }) => cluster.stop()));
      running = [];
    });

    const start = async (count: number): Promise<TestInstance[]> => {
      client = `client-${randomBytes(6).toString('hex')}`;
      const names = Array.from({ length: count }, (_, index) => `instance-${index + 1}`);
      running = await Promise.all(names.map((name) => startInstance(fleet.createCluster(name))));
      return running;
    };
    const pair = async (): Promise<[TestInstance, TestInstance]> =>
      (await start(2)) as [TestInstance, TestInstance];

    describe('calls', () => {
      test('reach the instance that owns the client, and the reply comes back', async () => {
        const [asker, owner] = await pair();
        const { conn } = await owner.connect(client);
        expect(await asker.ask(client, '{"a":1}')).toBe('{"a":1}');
        expect(owner.delivered).toMatchObject([{ clientId: client, conn, body: Buffer.from('{"a":1}') }]);
        expect(owner.delivered[0]?.budgetMs).toBeGreaterThan(9_000);
        expect(owner.delivered[0]?.budgetMs).toBeLessThanOrEqual(10_050);
      });

      test('work when the asker owns the client itself', async () => {
        const [owner] = await pair();
        await owner.connect(client);
        expect(await owner.ask(client, 'here')).toBe('here');
      });

      test('carry heads and bodies as they are, in any bytes and alphabet', async () => {
        const [asker, owner] = await pair();
        const name = `${client}-ß日`;
        await owner.connect(name);
        const body = randomBytes(3_000);
        owner.answer = (command) => Promise.resolve({ head: '{"status":"ü€"}', body: command.body });
        const reply = await asker.cluster.bus.ask({
          clientId: name,
          accountId: testAccount,
          body,
          budgetMs: 5_000,
        }).reply;
        expect(reply.head).toBe('{"status":"ü€"}');
        expect(reply.body.equals(body)).toBe(true);
        expect(await asker.ask(name, '')).toBe('');
      });

      test.each([300_000, 1_000_000])('carry a body of %i bytes both ways', async (size) => {
        const [asker, owner] = await pair();
        await owner.connect(client);
        const body = randomBytes(size / 2).toString('hex');
        expect((await asker.ask(client, body)) === body).toBe(true);
      });

      test('of which 1,000 run at once are each delivered once and answered with their own reply', async () => {
        const [first, second, third] = (await start(3)) as [TestInstance, TestInstance, TestInstance];
        const clients = Array.from({ length: 20 }, (_, index) => `${client}-${index}`);
        for (const one of clients) await third.connect(one);
        third.answer = async ({ body }) => {
          if (body.length % 2) await new Promise((resolve) => setImmediate(resolve));
          return { head: '', body: Buffer.from(`reply to ${body.toString()}`) };
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
        const [asker, owner] = await pair();
        await owner.connect(client, { accountId: 'account-2' });
        const notFound = { reason: 'no_owner', sent: false };
        await expect(asker.ask(client, 'x')).rejects.toMatchObject(notFound);
        await expect(asker.ask(`${client}-unknown`, 'x')).rejects.toMatchObject(notFound);
        expect(owner.delivered).toEqual([]);
      });

      test('without an answer time out at their deadline, and the owner hears of it', async () => {
        const [asker, owner] = await pair();
        await owner.connect(client);
        const gaveUp = hang(owner);
        const since = performance.now();
        await expect(asker.ask(client, 'x', { budgetMs: 200 })).rejects.toMatchObject({
          reason: 'timeout',
          sent: true,
        });
        expect(performance.now() - since).toBeGreaterThanOrEqual(199);
        expect(performance.now() - since).toBeLessThan(600);
        await gaveUp;
      });

      test('whose caller hangs up end at once, and the owner hears of it', async () => {
        const [asker, owner] = await pair();
        await owner.connect(client);
        const gaveUp = hang(owner);
        const caller = new AbortController();
        const call = asker.ask(client, 'x', { signal: caller.signal });
        await vi.waitFor(() => expect(owner.delivered).toHaveLength(1), { interval: 2 });
        caller.abort();
        await expect(call).rejects.toMatchObject({ reason: 'aborted', sent: true });
        await gaveUp;
      });

      test('that the owner refuses fail as it says; any other error of it leaves the outcome open', async () => {
        const [asker, owner] = await pair();
        await owner.connect(client);
        owner.answer = () => Promise.reject(new BusFailure('unavailable', false, 'full up'));
        await expect(asker.ask(client, 'x')).rejects.toMatchObject({
          reason: 'unavailable',
          sent: false,
          message: 'full up',
        });
        owner.answer = () => Promise.reject(new Error('a bug'));
        await expect(asker.ask(client, 'x')).rejects.toMatchObject({ reason: 'lost', sent: true });
      });

      test('fail at once when their owner stops', async () => {
        const [asker, owner] = await pair();
        await owner.connect(client);
        void hang(owner);
        const call = failureOf(asker.ask(client, 'x'));
        await vi.waitFor(() => expect(owner.delivered).toHaveLength(1), { interval: 2 });
        await owner.cluster.stop();
        const since = performance.now();
        expect(await call).toMatchObject({ reason: 'lost', sent: true });
        expect(performance.now() - since).toBeLessThan(500);
      });
    });

    describe('claims', () => {
      test('of a client that is connected anywhere are duplicates', async () => {
        const [first, second] = await pair();
        expect(await first.connect(client)).toMatchObject({ outcome: 'mine' });
        expect(await second.connect(client)).toMatchObject({
          outcome: 'duplicate',
          instanceId: 'instance-1',
        });
        expect(await first.connect(client)).toMatchObject({ outcome: 'duplicate' });
        expect(first.cluster.directory.authority(client)).toBe('owner');
        expect(second.cluster.directory.authority(client)).toBe('frozen');
        expect(first.evicted).toEqual([]);
      });

      test.each([0, 1])('fence off a silent incumbent (newcomer on instance %i)', async (newcomerAt) => {
        const instances = await pair();
        const [owner] = instances;
        const newcomer = instances[newcomerAt] ?? owner;
        const before = await owner.connect(client);
        owner.silent.add(before.conn);
        const after = await newcomer.connect(client);
        expect(after).toMatchObject({ outcome: 'mine' });
        expect(owner.evicted).toEqual([{ conn: before.conn, why: 'silent' }]);
        await instances[1].ask(client, 'x');
        expect(newcomer.delivered).toMatchObject([{ conn: after.conn }]);
      });

      test('whose socket is still being checked by its instance are alive', async () => {
        const [owner, newcomer] = await pair();
        const claim = { clientId: client, conn: 'not open yet', accountId: testAccount, meta: '' };
        expect(await owner.cluster.directory.claim(claim)).toMatchObject({ outcome: 'mine' });
        expect(await newcomer.connect(client)).toMatchObject({ outcome: 'duplicate' });
        expect(owner.cluster.directory.authority(client)).toBe('owner');
      });

      test('of which two race over two instances have exactly one winner, 1,000 times', async () => {
        const [first, second] = await pair();
        for (let round = 0; round < 1_000; round++) {
          const outcomes = await Promise.all([first.connect(client), second.connect(client)]);
          const winners = outcomes.map(({ outcome }) => outcome).toSorted();
          expect(winners, `round ${round}`).toEqual(['duplicate', 'mine']);
          const owners = [first, second].filter(
            ({ cluster }) => cluster.directory.authority(client) === 'owner',
          );
          expect(owners, `round ${round}`).toHaveLength(1);
          await Promise.all(
            outcomes.map(({ conn }, index) => (index ? second : first).disconnect(client, conn)),
          );
        }
      });

      test('that are released leave nobody', async () => {
        const [asker, owner] = await pair();
        const { conn } = await owner.connect(client);
        await owner.disconnect(client, conn);
        expect(owner.cluster.directory.authority(client)).toBe('frozen');
        await expect(asker.ask(client, 'x')).rejects.toMatchObject({ reason: 'no_owner' });
        expect(await asker.cluster.directory.find([client])).toEqual(new Map());
        expect(await asker.connect(client)).toMatchObject({ outcome: 'mine' });
      });

      test('survive the late release of an older conn', async () => {
        const [first, second] = await pair();
        const old = await first.connect(client);
        first.silent.add(old.conn);
        await second.connect(client);
        await first.disconnect(client, old.conn);
        expect(second.cluster.directory.authority(client)).toBe('owner');
        expect(await first.ask(client, 'still here')).toBe('still here');
      });

      test('of a moving client go to the first that comes, and calls meanwhile are not sent', async () => {
        const [first, second] = await pair();
        const { conn } = await first.connect(client);
        await first.disconnect(client, conn, 30_000);
        expect(first.cluster.directory.authority(client)).toBe('frozen');
        await expect(second.ask(client, 'x')).rejects.toMatchObject({ reason: 'unavailable', sent: false });
        const found = await second.cluster.directory.find([client]);
        expect(found.get(client)).toMatchObject({ accountId: testAccount, moving: true });
        expect(await second.connect(client)).toMatchObject({ outcome: 'mine' });
        expect(await first.ask(client, 'moved')).toBe('moved');
      });

      test('of a moving client keep its time when they are released again', async () => {
        const [first, second] = await pair();
        const { conn } = await first.connect(client);
        await first.disconnect(client, conn, 30_000);
        await first.disconnect(client, conn);
        await first.disconnect(client, conn, 1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        expect((await second.cluster.directory.find([client])).get(client)).toMatchObject({ moving: true });
      });

      test('of a moving client that does not come back end with its time', async () => {
        const [first, second] = await pair();
        const { conn } = await first.connect(client);
        await first.disconnect(client, conn, 50);
        await vi.waitFor(() =>
          expect(second.ask(client, 'x')).rejects.toMatchObject({ reason: 'no_owner', sent: false }),
        );
      });

      test('grow their epoch with each owner', async () => {
        const [first, second] = await pair();
        const epochs: number[] = [];
        for (const instance of [first, second, first, second]) {
          const claimed = await instance.connect(client);
          if (claimed.outcome === 'mine') epochs.push(claimed.epoch);
          await instance.disconnect(client, claimed.conn);
        }
        expect(epochs).toHaveLength(4);
        expect(epochs).toEqual([...new Set(epochs)].toSorted((a, b) => a - b));
      });

      test('end with their instance', async () => {
        const [first, second] = await pair();
        await first.connect(client);
        await first.cluster.stop();
        await expect(second.ask(client, 'x')).rejects.toMatchObject({ reason: 'no_owner', sent: false });
        expect(await second.connect(client)).toMatchObject({ outcome: 'mine' });
      });

      test('are found from any instance, among many', async () => {
        const [first, second] = await pair();
        const clients = Array.from({ length: 1_200 }, (_, index) => `${client}-${index}`);
        const online = clients.filter((_, index) => index % 100 === 0);
        await Promise.all(online.map((one, index) => (index % 2 ? first : second).connect(one)));
        const found = await first.cluster.directory.find(clients);
        expect([...found.keys()].toSorted()).toEqual(online.toSorted());
        expect(found.get(online[1] ?? '')).toEqual({
          clientId: online[1],
          accountId: testAccount,
          meta: 'about it',
          moving: false,
        });
      });
    });

    describe('messages to all', () => {
      test('reach every instance, their sender too, in order', async () => {
        const instances = await start(3);
        const heard = instances.map(({ cluster }) => {
          const messages: string[] = [];
          cluster.broadcast.subscribe('keys', (message) => messages.push(message));
          return messages;
        });
        const sent = Array.from({ length: 50 }, (_, index) => `message ${index} ü`);
        for (const message of sent) await instances[0]?.cluster.broadcast.publish('keys', message);
        await instances[0]?.cluster.broadcast.publish('other', 'not for them');
        await vi.waitFor(() => expect(heard).toEqual([sent, sent, sent]));
      });

      test('reach no listener that has left', async () => {
        const [first, second] = await pair();
        const heard: string[] = [];
        const listener = (message: string): void => void heard.push(message);
        const leave = first.cluster.broadcast.subscribe('keys', listener);
        first.cluster.broadcast.subscribe('keys', listener);
        leave();
        await second.cluster.broadcast.publish('keys', 'once');
        await vi.waitFor(() => expect(heard).toEqual(['once']));
      });
    });
  });
}

/** Lets the owner never answer; resolves when it hears that its asker gave up. */
function hang(owner: TestInstance): Promise<void> {
  return new Promise((gaveUp) => {
    owner.answer = (_command, signal) =>
      new Promise(() => signal.addEventListener('abort', () => gaveUp(), { once: true }));
  });
}
