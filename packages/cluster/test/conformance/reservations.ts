import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Reserved, Reserving } from '../../src/reservations.ts';
import { testReservations } from './fleet.ts';
import type { Suite } from './fleet.ts';

/** Promises of the reservations. */
export function describeReservations(suite: Suite): void {
  const newPlace = (group = randomBytes(8).toString('hex'), ...parts: string[]) => ({
    group,
    parts: [...parts, randomBytes(4).toString('hex')] as [string],
  });
  const tokenOf = (reserving: Reserving): string => {
    if (reserving.outcome !== 'reserved') throw new Error(`it is ${reserving.outcome}`);
    return reserving.token;
  };

  test('are got by one of 50 who race for them, and the others find it running', async () => {
    const instances = await suite.start(2);
    const place = newPlace();
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        instances[index % 2]!.cluster.reservations.reserve(place, 'note', 60_000),
      ),
    );
    expect(all.filter(({ outcome }) => outcome === 'reserved')).toHaveLength(1);
    const found = all.flatMap((one) => (one.outcome === 'known' ? [one.found] : []));
    expect(found).toHaveLength(49);
    for (const one of found) expect(one).toMatchObject({ state: 'running', note: 'note' });
  });

  test('are found with what became of them; only whoever has one ends or frees it', async () => {
    const [one, two] = (await suite.pair()).map(({ cluster }) => cluster.reservations);
    const place = newPlace();
    const token = tokenOf(await one!.reserve(place, 'note', 60_000));
    await two!.settle(place, 'other', { state: 'done', note: 'theirs' });
    await two!.free(place, 'other');
    expect(await two!.reserve(place, 'x', 1)).toMatchObject({ found: { state: 'running', note: 'note' } });
    await one!.settle(place, token, { state: 'done', note: 'then', answer: '{"ünïcode": []}' });
    const found = await two!.reserve(place, 'x', 1);
    expect(found).toMatchObject({ found: { state: 'done', note: 'then', answer: '{"ünïcode": []}' } });
    await one!.free(place, token);
    expect((await two!.reserve(place, 'x', 1)).outcome).toBe('reserved');
  });

  test('that run for longer than they may are unknown, and stay with whoever has them', async () => {
    const [{ cluster }] = await suite.pair();
    const { reservations } = cluster;
    const place = newPlace();
    const token = tokenOf(await reservations.reserve(place, 'note', 1));
    await expect
      .poll(() => reservations.reserve(place, 'x', 60_000))
      .toMatchObject({ outcome: 'known', found: { state: 'unknown', note: 'note' } });
    await reservations.settle(place, token, { state: 'unknown', note: 'note' });
    expect(await reservations.reserve(place, 'x', 1)).toMatchObject({ found: { state: 'unknown' } });
  });

  test('that became unknown are got once more by one of those who name the memory that they were made with', async () => {
    const [one, two] = (await suite.pair()).map(({ cluster }) => cluster.reservations);
    const place = newPlace();
    const made = await one!.reserve(place, 'note', 60_000, 'memory');
    const { at } = made as Reserved;
    expect(made).toEqual({
      outcome: 'reserved',
      token: expect.any(String),
      at: expect.any(Number),
      isRepeat: false,
    });
    const again = (memory?: string) => two!.reserve(place, 'x', 60_000, memory);
    expect(await again('memory')).toMatchObject({ found: { state: 'running' } });
    await one!.settle(place, tokenOf(made), { state: 'unknown', note: 'note', memory: 'memory' });
    for (const memory of [undefined, 'another'])
      expect(await again(memory)).toMatchObject({
        found: { state: 'unknown', note: 'note', memory: 'memory' },
      });
    const all = await Promise.all(Array.from({ length: 10 }, () => again('memory')));
    const got = all.filter(({ outcome }) => outcome === 'reserved');
    expect(got).toEqual([{ outcome: 'reserved', token: expect.any(String), at, isRepeat: true }]);
    expect(tokenOf(got[0]!)).not.toBe(tokenOf(made));
    // Whoever had it first has it no more, and that nothing was done now says nothing of then.
    await one!.settle(place, tokenOf(made), { state: 'done', note: 'late' });
    await one!.free(place, tokenOf(made));
    await two!.free(place, tokenOf(got[0]!));
    expect(await again()).toMatchObject({ found: { state: 'unknown', note: 'note' } });
    const last = await again('memory');
    expect(last).toMatchObject({ at, isRepeat: true });
    await two!.settle(place, tokenOf(last), { state: 'done', note: 'note', memory: 'memory', answer: 'a' });
    expect(await again('memory')).toMatchObject({ found: { state: 'done', answer: 'a' } });
  });

  test('that ran for longer than they may are got once more, and run for so long again', async () => {
    const [{ cluster }] = await suite.pair();
    const { reservations } = cluster;
    const place = newPlace();
    await reservations.reserve(place, 'note', 1, 'memory');
    await expect
      .poll(() => reservations.reserve(place, 'x', 60_000, 'memory'))
      .toMatchObject({ outcome: 'reserved', isRepeat: true });
    expect(await reservations.reserve(place, 'x', 1, 'memory')).toMatchObject({
      found: { state: 'running' },
    });
  });

  test('are kept at their end also where the store lost them meanwhile', async () => {
    const [{ cluster }, other] = await suite.pair();
    const place = newPlace();
    const token = tokenOf(await cluster.reservations.reserve(place, 'note', 60_000));
    await cluster.reservations.erase(place.group);
    await cluster.reservations.settle(place, token, { state: 'done', note: 'note', answer: 'a' });
    expect(await other.cluster.reservations.reserve(place, 'x', 1)).toMatchObject({
      found: { state: 'done', answer: 'a' },
    });
  });

  test('are forgotten by a part of their names, or with their group', async () => {
    const [{ cluster }] = await suite.pair();
    const { reservations } = cluster;
    const [first, second, third] = [['a', 'b'], ['aa', 'b'], ['c']].map((parts) => newPlace('g', ...parts));
    const outcomes = async () => {
      const all = [];
      for (const place of [first!, second!, third!])
        all.push((await reservations.reserve(place, 'n', 60_000)).outcome);
      return all;
    };
    await reservations.erase('g');
    expect(await outcomes()).toEqual(['reserved', 'reserved', 'reserved']);
    await reservations.erase('g', 'a');
    expect(await outcomes()).toEqual(['reserved', 'known', 'known']);
    await reservations.erase('g', 'b');
    expect(await outcomes()).toEqual(['reserved', 'reserved', 'known']);
    await reservations.erase('g');
    expect(await outcomes()).toEqual(['reserved', 'reserved', 'reserved']);
  });

  test('are bounded by number and by bytes in a group, and freed ones make room', async () => {
    const [{ cluster }] = await suite.pair();
    const { reservations } = cluster;
    const many = newPlace().group;
    for (let count = 0; count < testReservations.names; count++)
      tokenOf(await reservations.reserve(newPlace(many), 'n', 60_000));
    expect(await reservations.reserve(newPlace(many), 'n', 60_000)).toEqual({ outcome: 'full' });
    expect((await reservations.reserve(newPlace(), 'n', 60_000)).outcome).toBe('reserved');

    const large = newPlace();
    const half = 'x'.repeat(testReservations.bytes / 2);
    const token = tokenOf(await reservations.reserve(large, 'n', 60_000));
    await reservations.settle(large, token, { state: 'done', note: 'n', answer: half });
    const next = newPlace(large.group);
    const nextToken = tokenOf(await reservations.reserve(next, 'n', 60_000));
    await reservations.settle(next, nextToken, { state: 'done', note: 'n', answer: half });
    const found = await reservations.reserve(next, 'n', 1);
    expect(found).toMatchObject({ found: { state: 'done', note: 'n' } });
    expect(found).not.toHaveProperty('found.answer', half);
    expect(await reservations.reserve(newPlace(large.group), half, 1)).toEqual({ outcome: 'full' });
    await reservations.free(large, token);
    expect((await reservations.reserve(newPlace(large.group), half, 1)).outcome).toBe('reserved');
  });
}
