import { createMemoryCluster, createMemoryHub } from '@tabletop-relay/cluster';
import type { InstanceLoad } from '@tabletop-relay/contract';
import { expect, it } from 'vitest';
import { shareLoads } from './instance-loads.ts';

const loadOf = (instanceId: string): InstanceLoad => ({
  instanceId,
  version: '1.0.0',
  state: 'ready',
  startedAt: '2026-01-01T00:00:00.000Z',
  worlds: 1,
  streams: 0,
  callsPerMinute: 0,
  busyShare: 0,
  memoryBytes: 1,
});

function setUp() {
  const hub = createMemoryHub();
  let time = 0;
  const join = (instanceId: string) => {
    const cluster = createMemoryCluster({ instanceId, hub });
    return shareLoads({ cluster, read: () => Promise.resolve(loadOf(instanceId)), now: () => time });
  };
  return { join, pass: (ms: number) => (time += ms) };
}

const namesOf = (loads: { list(): InstanceLoad[] }) => loads.list().map(({ instanceId }) => instanceId);

it('every instance shows all that told their load', async () => {
  const { join } = setUp();
  const [one, other] = [join('a'), join('b')];
  const ends = [one.start(), other.start()];
  await expect.poll(() => namesOf(one)).toEqual(['a', 'b']);
  expect(namesOf(other)).toEqual(['a', 'b']);
  for (const end of ends) end();
});

it('an instance that told nothing for twenty seconds is left out', async () => {
  const { join, pass } = setUp();
  const [one, other] = [join('a'), join('b')];
  other.start()();
  await expect.poll(() => namesOf(one)).toEqual(['b']);
  pass(20_000);
  expect(namesOf(one)).toEqual(['b']);
  pass(1);
  expect(namesOf(one)).toEqual([]);
});
