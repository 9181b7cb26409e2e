import { startRedis } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryShortLived, createRedisShortLived } from '../src/index.ts';
import type { ShortLived } from '../src/index.ts';

let redis: TestRedis;
beforeAll(async () => void (redis = await startRedis()));
afterAll(() => redis.stop());

describe.each([
  ['memory', () => createMemoryShortLived()],
  ['redis', () => createRedisShortLived({ url: redis.url })],
] as const)('what is kept for a short time, in %s', (_driver, open) => {
  let kept: ShortLived;
  beforeAll(() => void (kept = open()));
  afterAll(() => kept.close());

  it('is read any number of times, and taken once', async () => {
    await kept.put('a', 'text', 10_000);
    expect([await kept.read('a'), await kept.read('a')]).toEqual(['text', 'text']);
    const taken = await Promise.all(Array.from({ length: 50 }, () => kept.take('a')));
    expect(taken.filter((text) => text !== undefined)).toEqual(['text']);
    expect(await kept.read('a')).toBeUndefined();
  });

  it('is replaced by what is put in its place', async () => {
    await kept.put('b', 'old', 10_000);
    await kept.put('b', 'new', 10_000);
    expect(await kept.take('b')).toBe('new');
  });

  it('is put by one of many who put what is new', async () => {
    const put = await Promise.all(['one', 'two', 'three'].map((text) => kept.putNew('n', text, 10_000)));
    expect(put.filter(Boolean)).toHaveLength(1);
    expect(await kept.putNew('n', 'four', 10_000)).toBe(false);
    expect(await kept.take('n')).toMatch(/one|two|three/);
    expect(await kept.putNew('n', 'five', 10_000)).toBe(true);
  });

  it('is gone after its time', async () => {
    await kept.put('c', 'text', 30);
    await expect.poll(() => kept.read('c')).toBeUndefined();
    expect(await kept.take('c')).toBeUndefined();
  });
});

it('memory keeps a bounded number and forgets the oldest', async () => {
  const kept = createMemoryShortLived({ maxEntries: 2 });
  for (const name of ['a', 'b', 'c']) await kept.put(name, name, 10_000);
  expect([await kept.read('a'), await kept.read('b'), await kept.read('c')]).toEqual([undefined, 'b', 'c']);
});

it('with Redis away nothing is kept, and the caller is told', async () => {
  const kept = createRedisShortLived({ url: 'redis://127.0.0.1:1' });
  await expect(kept.put('a', 'text', 1_000)).rejects.toThrow('Redis');
  kept.close();
});
