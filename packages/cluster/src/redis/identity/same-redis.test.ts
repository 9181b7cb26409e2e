import { describe, expect, it } from 'vitest';
import type { OtherReading } from '../../cluster.ts';
import { judgeRedis } from './same-redis.ts';
import type { OwnFinding } from './same-redis.ts';

const wordMs = 15_000;

const other = (more: Partial<OtherReading> = {}): OtherReading => ({
  instanceId: 'relay-2',
  id: 'a',
  found: 'a',
  place: '10.0.0.2:6379',
  heardMs: 1_000,
  ageMs: 1_000,
  ...more,
});

function judge(mine: Partial<OwnFinding>, ...others: OtherReading[]) {
  const base = { id: 'a', found: 'a', hasServed: false, noneForMs: 0, askingForMs: 0, wordMs };
  return judgeRedis({ ...base, ...mine }, others).is;
}

describe('an instance that starts', () => {
  it('takes a Redis that nobody contradicts, with an id or without', () => {
    expect(judge({})).toBe('ours');
    expect(judge({ id: 'candidate', found: '' })).toBe('ours');
    expect(judge({}, other(), other({ found: '' }))).toBe('ours');
  });

  it('waits where another serves on another one, or has not written the id into an empty one', () => {
    expect(judge({ id: 'b', found: 'b' }, other())).toBe('unclear');
    expect(judge({ id: 'candidate', found: '' }, other())).toBe('unclear');
    // Redis does not answer the other, or was emptied under it: it serves all the same.
    expect(judge({ id: 'b', found: 'b' }, other({ found: '', ageMs: 60_000 }))).toBe('unclear');
    expect(judge({ id: 'b', found: 'b' }, other({ ageMs: 60_000 }))).toBe('unclear');
  });

  it('gives those whose word is old the time to speak again, and no more', () => {
    const silent = other({ heardMs: 3_600_000 });
    expect(judge({ id: 'b', found: 'b' }, silent)).toBe('unclear');
    expect(judge({ id: 'b', found: 'b', askingForMs: wordMs }, silent)).toBe('ours');
    expect(judge({ id: 'b', found: 'b', askingForMs: wordMs }, silent, other())).toBe('unclear');
  });

  it('need not agree with one that has come to another Redis and serves nothing', () => {
    expect(judge({ id: 'b', found: 'b' }, other({ found: 'b' }))).toBe('ours');
    expect(judge({ id: 'a' }, other({ found: 'b' }))).toBe('ours');
  });
});

describe('an instance that has served', () => {
  const served = { hasServed: true };

  it('is foreign where it finds another id, whatever others say', () => {
    expect(judge({ ...served, found: 'b' })).toBe('foreign');
    expect(judge({ ...served, found: 'b' }, other({ found: 'b' }))).toBe('foreign');
  });

  it('is back where it finds its own, unless others serve on another one meanwhile', () => {
    expect(judge(served, other(), other({ found: 'b' }))).toBe('ours');
    expect(judge(served, other({ id: 'b', found: 'b' }))).toBe('foreign');
    expect(judge(served, other({ id: 'b', found: 'b', heardMs: wordMs }))).toBe('ours');
  });

  const emptied = { ...served, found: '', noneForMs: 2_000 };

  it('writes its id into an empty one once nobody reads it elsewhere', () => {
    expect(judge(emptied)).toBe('ours');
    expect(judge(emptied, other({ found: '' }))).toBe('ours');
    expect(judge(emptied, other())).toBe('unclear');
    expect(judge(emptied, other({ ageMs: wordMs }))).toBe('ours');
    expect(judge(emptied, other({ heardMs: wordMs, ageMs: wordMs }))).toBe('ours');
  });

  it('is foreign where another has gone on reading the id long after this one found none', () => {
    const long = { ...emptied, noneForMs: wordMs + 2_000 };
    expect(judge(long, other({ ageMs: 1_999 }))).toBe('foreign');
    expect(judge(long, other({ ageMs: 2_000 }))).toBe('unclear');
  });

  it('does not write where others have agreed on another id', () => {
    expect(judge(emptied, other({ id: 'b', found: 'b' }))).toBe('foreign');
  });
});
