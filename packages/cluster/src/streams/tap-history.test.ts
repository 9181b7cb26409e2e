import { describe, expect, test } from 'vitest';
import { entry, followTo, headAt } from '../../test/fakes/followed-tap.ts';
import type { Entry } from './stream-store.ts';

describe('a history that was lost twice', () => {
  test('brings nothing again that was heard before the first time', async () => {
    const { tap, told, has } = await followTo(headAt(5));
    has(headAt(0, { gen: 'g2', seq: 3 }), []);
    await tap.catchUp();
    has(headAt(3, { gen: 'g3', seq: 6 }), [entry(1, { seq: 4 }), entry(2, { seq: 5 }), entry(3, { seq: 6 })]);
    await tap.catchUp();
    expect(told).toEqual(['event 3']);
  });

  test('brings all that another conn sent since', async () => {
    const { tap, told, has } = await followTo(headAt(5));
    has(headAt(1, { gen: 'g2', src: 'next', seq: 1 }), []);
    await tap.catchUp();
    has(headAt(1, { gen: 'g3', src: 'next', seq: 2 }), [entry(1, { src: 'next', seq: 2 })]);
    await tap.catchUp();
    expect(told).toEqual(['gap of undefined up to 1', 'event 1']);
  });
});

describe('what the store itself adds', () => {
  const own = (n: number, kind: Entry['kind'], body = '') =>
    entry(n, { kind, src: '', seq: 0, body: Buffer.from(body) });

  test('does not hide what the last conn had sent before it', async () => {
    const { tap, told, live, has } = await followTo(headAt(2));
    live([own(3, 'offline')]);
    has(headAt(1, { gen: 'g2', seq: 2, isOnline: false }), [entry(1, { seq: 2 })]);
    await tap.catchUp();
    expect(told).toEqual(['offline']);
  });

  test('to a new history proves nothing of the lost one', async () => {
    const { tap, told, has } = await followTo(headAt(2));
    has(headAt(1, { gen: 'g2', src: '', seq: 0 }), [own(1, 'gap', '4')]);
    await tap.catchUp();
    expect(told).toEqual(['gap of 4 up to 1']);
  });

  test('is told where no conn had sent anything', async () => {
    const { tap, told, has } = await followTo(headAt(0, { src: '', seq: 0 }));
    has(headAt(1, { gen: 'g2', src: '', seq: 0 }), [own(1, 'gap', '4')]);
    await tap.catchUp();
    expect(told).toEqual(['gap of 4 up to 1']);
  });
});
