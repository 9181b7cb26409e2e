import { describe, expect, it } from 'vitest';
import { createBacklog } from './write-loop.ts';

function createTestBacklog(maxRows: number, maxRowsPerOwner = maxRows) {
  const dropped: string[] = [];
  const backlog = createBacklog<number>({ maxRows, maxRowsPerOwner, onDrop: (owner) => dropped.push(owner) });
  const add = (owner: string, count: number) => {
    for (let i = 0; i < count; i++) backlog.add(owner, i);
  };
  const rest = (): [string, number][] => backlog.take(Infinity).map(({ owner, row }) => [owner, row]);
  return { backlog, dropped, add, rest };
}

describe('the backlog of the records', () => {
  it('keeps the rows of whoever has few, however many another owner adds', () => {
    const { backlog, dropped, add, rest } = createTestBacklog(20);
    add('few', 3);
    add('flood', 1_000);
    expect(backlog.size).toBe(20);
    expect(dropped).toEqual(Array<string>(983).fill('flood'));
    const left = rest();
    expect(left.filter(([owner]) => owner === 'few').map(([, row]) => row)).toEqual([0, 1, 2]);
    expect(left.filter(([owner]) => owner === 'flood').map(([, row]) => row)).toEqual(
      Array.from({ length: 17 }, (_, i) => 983 + i),
    );
  });

  it('bounds each owner, although there is room over all', () => {
    const { backlog, dropped, add } = createTestBacklog(100, 10);
    add('flood', 15);
    expect(backlog.size).toBe(10);
    expect(dropped).toHaveLength(5);
  });

  it('lets several that flood lose their own rows, the one with the most first', () => {
    const { dropped, add, rest } = createTestBacklog(30, 20);
    add('few', 2);
    add('first', 20);
    add('second', 20);
    const counts = Map.groupBy(rest(), ([owner]) => owner);
    expect(counts.get('few')).toHaveLength(2);
    expect(Math.abs(counts.get('first')!.length - counts.get('second')!.length)).toBeLessThanOrEqual(1);
    expect(dropped).toHaveLength(12);
  });

  it('gives its owners turns, each its oldest row first', () => {
    const { backlog, add } = createTestBacklog(100);
    add('many', 5);
    add('few', 2);
    const taken = backlog.take(5).map(({ owner, row }) => `${owner} ${row}`);
    expect(taken).toEqual(['many 0', 'few 0', 'many 1', 'few 1', 'many 2']);
    expect(backlog.has('few')).toBe(false);
    expect(backlog.size).toBe(2);
  });

  it('takes back what could not be written, in its order and within its bounds', () => {
    const { backlog, dropped, add, rest } = createTestBacklog(4);
    add('one', 4);
    const taken = backlog.take(3);
    backlog.add('one', 4);
    backlog.add('two', 0);
    backlog.putBack(taken);
    expect(dropped).toEqual(['one', 'one']);
    expect(backlog.size).toBe(4);
    expect(rest()).toEqual([
      ['one', 2],
      ['two', 0],
      ['one', 3],
      ['one', 4],
    ]);
  });
});
