import { expect, test } from 'vitest';
import { shardIndex } from '../keys.ts';

test('a client keeps its shard in every version: all instances of a rolling update have to agree', () => {
  const clients = ['client-1', 'client-2', 'c3b0c442', 'weltenbummler-ü'];
  expect(clients.map((client) => shardIndex(client, 5))).toEqual([4, 1, 3, 3]);
});

test('clients are divided evenly', () => {
  const counts = [0, 0, 0, 0];
  for (let client = 0; client < 10_000; client++) {
    const index = shardIndex(`client-${client}`, counts.length);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  for (const count of counts) expect(count).toBeGreaterThan(2_300);
});
