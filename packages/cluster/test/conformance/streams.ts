import { randomBytes } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { testBounds } from './fleet.ts';
import type { Suite } from './fleet.ts';
import { arrive, channel, kinds, listen, lost, peek, send } from './listening.ts';

const { historyEvents } = testBounds;
const within = { timeout: 10_000, interval: 5 };

/** Promises of the streams. */
// oxlint-disable-next-line max-lines-per-function -- A list of promises.
export function describeStreams(suite: Suite): void {
  test('bring each event once and in order, to listeners on every instance', async () => {
    const [owner, second, third] = await suite.start(3);
    const { conn } = await arrive(owner!, suite.client);
    const heard = await Promise.all([owner, second, third].map((at) => listen(at!, suite.client)));
    const sent = send(owner!, conn, 500);
    for (const { events } of heard) await vi.waitFor(() => expect(events()).toEqual(sent), within);
    expect(heard.flatMap(({ others }) => others())).toEqual([]);
  });

  test('go on where a listener left off, and say so', async () => {
    const [owner, other] = await suite.pair();
    const { conn } = await arrive(owner, suite.client);
    const first = await listen(other, suite.client);
    const before = send(owner, conn, 20);
    await vi.waitFor(() => expect(first.events()).toEqual(before), within);
    const left = first.stop();
    const missed = send(owner, conn, 20);
    await vi.waitFor(async () => expect((await peek(owner, suite.client)).n).toBe(left.n + 20), within);
    const again = await listen(other, suite.client, left);
    expect(again.following.recovered).toBe(true);
    expect(again.missed()).toEqual(missed);
    const later = send(owner, conn, 20);
    await vi.waitFor(() => expect(again.events()).toEqual(later), within);
  });

  test('join what was missed and what comes without a hole, while events come', async () => {
    const [owner, other] = await suite.pair();
    const { conn } = await arrive(owner, suite.client);
    const sent: string[] = [];
    const seen: string[] = [];
    let at = await peek(other, suite.client);
    for (let round = 0; round < 20; round++) {
      sent.push(...send(owner, conn, 25));
      const { following, missed, events, stop } = await listen(other, suite.client, at);
      expect(following.recovered).toBe(true);
      sent.push(...send(owner, conn, 25));
      await new Promise((resolve) => setImmediate(resolve));
      at = stop();
      seen.push(...missed(), ...events());
    }
    const last = await listen(other, suite.client, at);
    const all = (): string[] => [...seen, ...last.missed(), ...last.events()];
    await vi.waitFor(() => expect(all().length).toBe(sent.length), within);
    expect(all()).toEqual(sent);
  });

  test('say where the history no longer reaches', async () => {
    const [owner, other] = await suite.pair();
    const { conn } = await arrive(owner, suite.client);
    const { following } = await listen(owner, suite.client);
    const from = following.position;
    for (let sent = 100; sent <= 300; sent += 100) {
      send(owner, conn, 100, 10_000);
      await vi.waitFor(async () => expect((await peek(owner, suite.client)).n).toBe(from.n + sent), within);
    }
    const late = await listen(other, suite.client, from);
    expect(late.following).toMatchObject({ recovered: false, missed: [], isOnline: true });
    const unknown = await listen(other, suite.client, { gen: 'x'.repeat(16), n: 3 });
    expect(unknown.following.recovered).toBe(false);
    const ahead = await listen(other, suite.client, { ...late.following.position, n: 1e9 });
    expect(ahead.following.recovered).toBe(false);
  });

  test('keep as many events as they are told to, and no more', async () => {
    const [owner, other] = await suite.pair();
    const { conn } = await arrive(owner, suite.client);
    const { following } = await listen(owner, suite.client);
    const { gen, n } = following.position;
    const sent = send(owner, conn, historyEvents + 50);
    const end = n + sent.length;
    await vi.waitFor(async () => expect((await peek(owner, suite.client)).n).toBe(end), within);
    const kept = await listen(other, suite.client, { gen, n: end - historyEvents });
    expect(kept.following.recovered).toBe(true);
    expect(kept.missed()).toEqual(sent.slice(-historyEvents));
    const late = await listen(other, suite.client, { gen, n: end - historyEvents - 1 });
    expect(late.following).toMatchObject({ recovered: false, missed: [] });
  });

  test('tell a client’s going and coming once, and nothing of one that only changes its owner', async () => {
    const [first, second] = await suite.pair();
    const { conn } = await arrive(first, suite.client);
    const { all } = await listen(second, suite.client);
    await vi.waitFor(() => expect(first.cluster.streams.isWanted(conn, channel)).toBe(true), within);
    await first.cluster.directory.offer(suite.client, conn, 'handover');
    const next = await arrive(second, suite.client, 'handover');
    send(second, next.conn, 1);
    await first.cluster.streams.close(conn, { offline: false });
    await vi.waitFor(() => expect(kinds(all())).toEqual(['event']), within);
    await second.cluster.streams.close(next.conn, { offline: true });
    await second.disconnect(suite.client, next.conn);
    await vi.waitFor(() => expect(kinds(all())).toEqual(['event', 'offline']), within);
    await arrive(first, suite.client);
    await vi.waitFor(() => expect(kinds(all())).toEqual(['event', 'offline', 'online']), within);
  });

  test('have what the old owner brought before what the new one brings', async () => {
    const [first, second] = await suite.pair();
    const { conn } = await arrive(first, suite.client);
    const { events, others } = await listen(second, suite.client);
    await first.cluster.directory.offer(suite.client, conn, 'handover');
    const next = await arrive(second, suite.client, 'handover');
    // The module sends down the old socket until it hears that the new one stands.
    const late = send(second, next.conn, 50, 10, 'new');
    const early = send(first, conn, 50, 10, 'old');
    await first.cluster.streams.close(conn, { offline: false });
    await vi.waitFor(() => expect(events()).toEqual([...early, ...late]), within);
    expect(others()).toEqual([]);
  });

  test('have what comes over before it is known that somebody listens', async () => {
    const [first, second] = await suite.pair();
    const { conn } = await arrive(first, suite.client);
    const { events, others } = await listen(second, suite.client);
    await vi.waitFor(() => expect(first.cluster.streams.isWanted(conn, channel)).toBe(true), within);
    await first.cluster.directory.offer(suite.client, conn, 'handover');
    const next = await arrive(second, suite.client, 'handover');
    // The relay drops what nobody wants; the module knows of its listeners by its old socket.
    expect(second.cluster.streams.isWanted(next.conn, channel)).toBe(true);
    const sent = send(second, next.conn, 5);
    await first.cluster.streams.close(conn, { offline: false });
    await vi.waitFor(() => expect(events()).toEqual(sent), within);
    expect(others()).toEqual([]);
  });

  test('tell of a gap where the client was away between two owners, though nobody called it offline', async () => {
    const [first, second] = await suite.pair();
    const { conn } = await arrive(first, suite.client);
    const { all } = await listen(second, suite.client);
    await vi.waitFor(() => expect(first.cluster.streams.isWanted(conn, channel)).toBe(true), within);
    await first.cluster.streams.close(conn, { offline: false });
    await first.disconnect(suite.client, conn, 10_000);
    const next = await arrive(second, suite.client);
    send(second, next.conn, 1);
    await vi.waitFor(() => expect(kinds(all())).toEqual(['gap', 'event']), within);
  });

  test('count what an owner could no longer append', async () => {
    const [first, second] = await suite.pair();
    const { conn } = await arrive(first, suite.client);
    const { all } = await listen(second, suite.client);
    await first.disconnect(suite.client, conn);
    await arrive(second, suite.client);
    await vi.waitFor(() => expect(kinds(all())).toContain('online'), within);
    send(first, conn, 7);
    await vi.waitFor(() => expect(lost(all())).toBe(7), within);
  });

  test('tell an owner of its first listener and of its last', async () => {
    const [owner, other] = await suite.pair();
    const changes: number[] = [];
    owner.cluster.streams.onListeners(({ clientId, channel: of, count }) => {
      if (clientId === suite.client && of === channel) changes.push(count);
    });
    const { conn } = await arrive(owner, suite.client);
    await vi.waitFor(() => expect(changes).toEqual([0]), within);
    expect(owner.cluster.streams.isWanted(conn, channel)).toBe(false);
    const listeners = [await listen(other, suite.client), await listen(owner, suite.client)];
    await vi.waitFor(() => expect(changes).toEqual([0, expect.any(Number)]), within);
    expect(changes[1]).toBeGreaterThan(0);
    for (const { stop } of listeners) stop();
    expect(owner.cluster.streams.isWanted(conn, channel)).toBe(true);
    await vi.waitFor(() => expect(changes).toEqual([0, expect.any(Number), 0]), within);
    expect(owner.cluster.streams.isWanted(conn, channel)).toBe(false);
  });

  test('are counted by their listeners on all instances', async () => {
    const [one, two, three] = await suite.start(3);
    const counts = () => three!.cluster.streams.countListeners(suite.client, ['hooks', channel]);
    // An instance whose connection is made anew answers nothing until then.
    await vi.waitFor(async () => expect(await counts()).toEqual([0, 0]), within);
    const listeners = [];
    for (const at of [one!, one!, two!]) listeners.push(await listen(at, suite.client));
    await vi.waitFor(async () => expect(await counts()).toEqual([0, 3]), within);
    listeners[0]!.stop();
    await vi.waitFor(async () => expect(await counts()).toEqual([0, 2]), within);
    for (const { stop } of listeners.slice(1)) stop();
    await vi.waitFor(async () => expect(await counts()).toEqual([0, 0]), within);
  });

  test('tell a new owner who listens already', async () => {
    const [owner, other] = await suite.pair();
    await listen(other, suite.client);
    const told = vi.fn<(count: number) => void>();
    owner.cluster.streams.onListeners((change) => {
      if (change.channel === channel) told(change.count);
    });
    const { conn } = await arrive(owner, suite.client);
    await vi.waitFor(() => expect(told.mock.calls).toEqual([[1]]), within);
    expect(owner.cluster.streams.isWanted(conn, channel)).toBe(true);
  });

  describe('of two clients', () => {
    test('do not mix', async () => {
      const [owner, other] = await suite.pair();
      const [mine, foreign] = [suite.client, `client-${randomBytes(6).toString('hex')}`];
      const [a, b] = [await arrive(owner, mine), await arrive(owner, foreign)];
      const [one, two] = [await listen(other, mine), await listen(other, foreign)];
      const [sentA, sentB] = [send(owner, a.conn, 20, 10, 'a'), send(owner, b.conn, 20, 10, 'b')];
      await vi.waitFor(() => expect([one.events(), two.events()]).toEqual([sentA, sentB]), within);
    });
  });
}
