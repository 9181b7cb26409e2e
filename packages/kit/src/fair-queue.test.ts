import { describe, expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const at = (...keys: string[]) => keys.map((key) => ({ key }));

describe('a fair queue', () => {
  it('lets groups take turns, and the groups within each', () => {
    const queue = createFairQueue<string>(10);
    for (const item of ['a1', 'a2', 'a3']) queue.add(at('a', 'x'), item);
    queue.add(at('a', 'y'), 'ay');
    queue.add(at('b', 'x'), 'b1');
    const order = Array.from({ length: 6 }, () => queue.take());
    expect(order).toEqual(['a1', 'b1', 'ay', 'a2', 'a3', undefined]);
    expect(queue.size).toBe(0);
  });

  it('gives the next of one first group, whose turn it then was', () => {
    const queue = createFairQueue<string>(10);
    for (const item of ['a1', 'b1', 'b2', 'c1']) queue.add(at(item[0] as string, 'x'), item);
    expect([queue.sizeOf('a'), queue.sizeOf('b'), queue.sizeOf('d')]).toEqual([1, 2, 0]);
    expect([queue.take('b'), queue.take('d')]).toEqual(['b1', undefined]);
    expect([queue.take(), queue.take(), queue.take()]).toEqual(['a1', 'c1', 'b2']);
  });

  it('when it is full takes the place of the last of the longest group, and never from who comes alone', () => {
    const queue = createFairQueue<string>(4);
    for (const item of ['a1', 'a2', 'a3', 'b1'])
      expect(queue.add(at(item[0] as string), item)).toBeUndefined();
    expect(queue.add(at('a'), 'a4')).toBe('a4');
    expect(queue.add(at('c'), 'c1')).toBe('a3');
    expect(queue.add(at('d'), 'd1')).toBe('a2');
    expect(queue.add(at('e'), 'e1')).toBe('d1');
    expect(queue.size).toBe(4);
    expect(Array.from({ length: 4 }, () => queue.take())).toEqual(['a1', 'b1', 'c1', 'e1']);
  });

  it('bounds a group by itself', () => {
    const queue = createFairQueue<number>(10);
    const path = [
      { key: '2001:db8::/48', max: 3 },
      { key: '2001:db8::/64', max: 2 },
    ];
    expect([1, 2, 3].map((item) => queue.add(path, item))).toEqual([undefined, undefined, 3]);
    const neighbour = [
      { key: '2001:db8::/48', max: 3 },
      { key: '2001:db8:0:1::/64', max: 2 },
    ];
    expect([4, 5].map((item) => queue.add(neighbour, item))).toEqual([undefined, 5]);
    expect(queue.size).toBe(3);
  });

  it('forgets who waits no more', () => {
    const queue = createFairQueue<string>(10);
    queue.add(at('a'), 'a1');
    queue.add(at('a'), 'a2');
    queue.remove(at('a'), 'a1');
    queue.remove(at('b'), 'a1');
    expect([queue.take(), queue.take(), queue.size]).toEqual(['a2', undefined, 0]);
  });

  it('gives up the last of the longest group, of equals of the one whose turn comes last', () => {
    const queue = createFairQueue<string>(10);
    expect(queue.takeLast()).toBeUndefined();
    for (const item of ['a1', 'a2', 'b1', 'b2', 'c1']) queue.add(at(item[0] as string), item);
    const order = Array.from({ length: 6 }, () => queue.takeLast());
    expect(order).toEqual(['b2', 'a2', 'c1', 'b1', 'a1', undefined]);
    expect(queue.size).toBe(0);
  });

  it('takes from the newcomer’s own group before its equals', () => {
    const queue = createFairQueue<string>(4);
    for (const item of ['b1', 'a1', 'a2', 'c1']) queue.add(at(item[0] as string), item);
    expect(queue.add(at('b'), 'b2')).toBe('b2');
    queue.remove(at('a'), 'a2');
    queue.add(at('d'), 'd1');
    expect(queue.add(at('b'), 'b2')).toBe('b2');
    expect(queue.add(at('e'), 'e1')).toBe('d1');
  });

  it('is not changed by the going of who is not in it', () => {
    const queue = createFairQueue<string>(10);
    queue.add(at('a', 'x'), 'a1');
    queue.remove(at('a', 'x'), 'a2');
    queue.remove(at('a', 'y'), 'a1');
    queue.remove(at('b', 'x', 'y'), 'a1');
    expect([queue.size, queue.take()]).toEqual([1, 'a1']);
  });
});
