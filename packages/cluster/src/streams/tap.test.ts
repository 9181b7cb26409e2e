import { describe, expect, test } from 'vitest';
import { entry, followTo, headAt } from '../../test/fakes/followed-tap.ts';

describe('what is told live', () => {
  test('is heard once and in order', async () => {
    const { tap, told, live, read } = await followTo(headAt(2));
    live([entry(3), entry(4)]);
    live([entry(4), entry(5)]);
    live([entry(1), entry(2)]);
    expect(told).toEqual(['event 3', 'event 4', 'event 5']);
    expect(tap.position()).toEqual({ gen: 'g1', n: 5 });
    expect(read).not.toHaveBeenCalled();
  });

  test('behind a part that is missing waits until that was read', async () => {
    const { told, live, has, settled } = await followTo(headAt(2));
    has(headAt(5), [entry(3), entry(4), entry(5)]);
    live([entry(5)]);
    live([entry(6)]);
    expect(told).toEqual([]);
    await settled();
    expect(told).toEqual(['event 3', 'event 4', 'event 5', 'event 6']);
  });

  test('of another history has the stream read', async () => {
    const { tap, told, live, has, settled } = await followTo(headAt(2));
    has(headAt(1, { gen: 'g2', seq: 3 }), [entry(1, { seq: 3 })]);
    live([entry(1, { seq: 3 })], 'g2');
    await settled();
    expect(told).toEqual(['event 1']);
    expect(tap.position()).toEqual({ gen: 'g2', n: 1 });
  });

  test('tells that the client is online or offline where that changes', async () => {
    const { tap, told, live } = await followTo(headAt(2));
    live([entry(3, { kind: 'online', src: '', seq: 0 })]);
    live([entry(4, { kind: 'offline', src: '', seq: 0 })]);
    expect(tap.isOnline()).toBe(false);
    live([entry(5, { kind: 'offline', src: '', seq: 0 })]);
    live([entry(6, { kind: 'online', src: '', seq: 0 })]);
    expect(told).toEqual(['offline', 'online']);
    expect(tap.isOnline()).toBe(true);
  });

  test('tells of a gap with its number, or without where nobody knows it', async () => {
    const { told, live } = await followTo(headAt(2));
    live([
      entry(3, { kind: 'gap', body: Buffer.from('12') }),
      entry(4, { kind: 'gap', body: Buffer.from('') }),
    ]);
    expect(told).toEqual(['gap of 12 up to 3', 'gap of undefined up to 4']);
  });

  test('is no longer heard by a listener that has left', async () => {
    const { tap, told, live, remove } = await followTo(headAt(2));
    expect(tap.size).toBe(1);
    remove();
    expect(tap.size).toBe(0);
    live([entry(3)]);
    expect(told).toEqual([]);
  });
});

describe('what is read', () => {
  test('tells of what the history no longer has, within it and behind it', async () => {
    const { tap, told, has } = await followTo(headAt(2));
    has(headAt(9), [entry(5), entry(6)]);
    await tap.catchUp();
    expect(told).toEqual(['gap of 2 up to 4', 'event 5', 'event 6', 'gap of 3 up to 9']);
    expect(tap.position()).toEqual({ gen: 'g1', n: 9 });
  });

  test('is not read twice at once', async () => {
    const { tap, read } = await followTo(headAt(2));
    await Promise.all([tap.catchUp(), tap.catchUp()]);
    expect(read).toHaveBeenCalledOnce();
  });

  test('rejects while the store is away, and then forgets what came meanwhile', async () => {
    const { tap, told, read, live, has, settled } = await followTo(headAt(2));
    read.mockRejectedValueOnce(new Error('away'));
    const failed = tap.catchUp();
    live([entry(3)]);
    await expect(failed).rejects.toThrow('away');
    expect(told).toEqual([]);
    has(headAt(4), [entry(3), entry(4)]);
    live([entry(4)]);
    await settled();
    expect(told).toEqual(['event 3', 'event 4']);
  });
});

describe('a look at where the stream stands', () => {
  test.each([
    ['further', headAt(4), true],
    ['in another history', headAt(1, { gen: 'g2' }), true],
    ['where the tap is', headAt(2), false],
    ['behind the tap, because it was made before', headAt(1), false],
  ])('reads it where it stands %s', async (_where, found, isRead) => {
    const { tap, read, settled } = await followTo(headAt(2));
    tap.compare(found);
    await settled();
    expect(read.mock.calls.length > 0).toBe(isRead);
  });
});

describe('a history that was lost', () => {
  test('is told as a gap as soon as the conn’s numbers prove that something is missing', async () => {
    const { tap, told, has } = await followTo(headAt(5));
    has(headAt(1, { gen: 'g2', seq: 8 }), [entry(1, { seq: 8 })]);
    await tap.catchUp();
    expect(told).toEqual(['gap of 2 up to 0', 'event 1']);
  });

  test('is not told where the numbers prove that nothing is missing', async () => {
    const { tap, told, has } = await followTo(headAt(5));
    has(headAt(1, { gen: 'g2', seq: 6 }), [entry(1, { seq: 6 })]);
    await tap.catchUp();
    expect(told).toEqual(['event 1']);
  });

  test('is told as a gap of an unknown size where another conn has the client now', async () => {
    const { tap, told, has } = await followTo(headAt(5));
    has(headAt(1, { gen: 'g2', src: 'next', seq: 1 }), [entry(1, { src: 'next', seq: 1 })]);
    await tap.catchUp();
    expect(told).toEqual(['gap of undefined up to 0', 'event 1']);
  });

  test('that is empty is told at the second look that proves nothing', async () => {
    const { tap, told, has } = await followTo(headAt(5));
    const empty = headAt(0, { gen: 'g2', src: '', seq: 0, isOnline: undefined });
    has(empty, []);
    await tap.catchUp();
    tap.compare(empty);
    expect(told).toEqual([]);
    tap.compare(empty);
    expect(told).toEqual(['gap of undefined up to 0']);
    tap.compare(empty);
    expect(told).toHaveLength(1);
  });

  test('tells that the client went offline meanwhile', async () => {
    const { tap, told, has } = await followTo(headAt(5));
    has(headAt(0, { gen: 'g2', seq: 5, isOnline: false }), []);
    await tap.catchUp();
    expect(told).toEqual(['offline']);
    expect(tap.isOnline()).toBe(false);
  });
});

test('a tap that is stopped is no longer told by the store', async () => {
  const { tap, stopWatching } = await followTo(headAt(2));
  tap.stop();
  expect(stopWatching).toHaveBeenCalledOnce();
});
