import { describe, expect, it } from 'vitest';
import { createFairLine } from './fair-line.ts';

const at = (...keys: string[]) => keys.map((key) => ({ key }));

describe('a fair line', () => {
  it('lets groups take turns, and the groups within each', () => {
    const line = createFairLine<string>(10);
    for (const item of ['a1', 'a2', 'a3']) line.add(at('a', 'x'), item);
    line.add(at('a', 'y'), 'ay');
    line.add(at('b', 'x'), 'b1');
    const order = Array.from({ length: 6 }, () => line.take());
    expect(order).toEqual(['a1', 'b1', 'ay', 'a2', 'a3', undefined]);
    expect(line.size).toBe(0);
  });

  it('when it is full takes the place of the last of the longest group, and never from who comes alone', () => {
    const line = createFairLine<string>(4);
    for (const item of ['a1', 'a2', 'a3', 'b1'])
      expect(line.add(at(item[0] as string), item)).toBeUndefined();
    expect(line.add(at('a'), 'a4')).toBe('a4');
    expect(line.add(at('c'), 'c1')).toBe('a3');
    expect(line.add(at('d'), 'd1')).toBe('a2');
    expect(line.add(at('e'), 'e1')).toBe('d1');
    expect(line.size).toBe(4);
    expect(Array.from({ length: 4 }, () => line.take())).toEqual(['a1', 'b1', 'c1', 'e1']);
  });

  it('bounds a group by itself', () => {
    const line = createFairLine<number>(10);
    const path = [
      { key: '2001:db8::/48', max: 3 },
      { key: '2001:db8::/64', max: 2 },
    ];
    expect([1, 2, 3].map((item) => line.add(path, item))).toEqual([undefined, undefined, 3]);
    const neighbour = [
      { key: '2001:db8::/48', max: 3 },
      { key: '2001:db8:0:1::/64', max: 2 },
    ];
    expect([4, 5].map((item) => line.add(neighbour, item))).toEqual([undefined, 5]);
    expect(line.size).toBe(3);
  });

  it('forgets who waits no more', () => {
    const line = createFairLine<string>(10);
    line.add(at('a'), 'a1');
    line.add(at('a'), 'a2');
    line.remove(at('a'), 'a1');
    line.remove(at('b'), 'a1');
    expect([line.take(), line.take(), line.size]).toEqual(['a2', undefined, 0]);
  });

  it('gives up the last of the longest group, of equals of the one whose turn comes last', () => {
    const line = createFairLine<string>(10);
    expect(line.takeLast()).toBeUndefined();
    for (const item of ['a1', 'a2', 'b1', 'b2', 'c1']) line.add(at(item[0] as string), item);
    const order = Array.from({ length: 6 }, () => line.takeLast());
    expect(order).toEqual(['b2', 'a2', 'c1', 'b1', 'a1', undefined]);
    expect(line.size).toBe(0);
  });

  it('takes from the newcomer’s own group before its equals', () => {
    const line = createFairLine<string>(4);
    for (const item of ['b1', 'a1', 'a2', 'c1']) line.add(at(item[0] as string), item);
    expect(line.add(at('b'), 'b2')).toBe('b2');
    line.remove(at('a'), 'a2');
    line.add(at('d'), 'd1');
    expect(line.add(at('b'), 'b2')).toBe('b2');
    expect(line.add(at('e'), 'e1')).toBe('d1');
  });

  it('is not changed by the going of who is not in it', () => {
    const line = createFairLine<string>(10);
    line.add(at('a', 'x'), 'a1');
    line.remove(at('a', 'x'), 'a2');
    line.remove(at('a', 'y'), 'a1');
    line.remove(at('b', 'x', 'y'), 'a1');
    expect([line.size, line.take()]).toEqual([1, 'a1']);
  });
});
