import { expect, test, vi } from 'vitest';
import { createMemoryBroadcast } from './memory-broadcast.ts';
import { createMemoryHub } from './memory-hub.ts';

test('a message reaches all who listen to its topic, until they leave, and nothing is kept of those', async () => {
  const hub = createMemoryHub();
  const broadcast = createMemoryBroadcast(hub);
  const hearer = () => vi.fn<(message: string) => void>();
  const [first, second, other] = [hearer(), hearer(), hearer()];
  const leave = broadcast.subscribe('topic', first);
  const leaveToo = broadcast.subscribe('topic', second);
  broadcast.subscribe('other topic', other);
  await broadcast.publish('topic', 'one');
  leave();
  await broadcast.publish('topic', 'two');
  leaveToo();
  await broadcast.publish('topic', 'three');
  expect(first.mock.calls).toEqual([['one']]);
  expect(second.mock.calls).toEqual([['one'], ['two']]);
  expect(other).not.toHaveBeenCalled();
  expect([...hub.listeners.keys()]).toEqual(['other topic']);
});

test('nobody is told of a gap, for there is none', () => {
  const told = vi.fn<() => void>();
  const leave = createMemoryBroadcast(createMemoryHub()).onGap(told);
  leave();
  expect(told).not.toHaveBeenCalled();
});
