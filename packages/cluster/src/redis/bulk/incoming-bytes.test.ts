import { expect, it, vi } from 'vitest';
import { createIncomingBytes } from './incoming-bytes.ts';

const create = () => createIncomingBytes({ incomingBytes: 100, incomingBytesPerAccount: 60 });

it('a reply that is larger than all room is taken where nothing else is held', () => {
  const room = create();
  expect(room.take('account', 1_000)).toBeTypeOf('function');
  expect(room.held()).toBe(1_000);
});

it('a second reply of an account is taken up to its bound, and those of others up to the bound of all', () => {
  const room = create();
  room.take('account', 50);
  expect(room.take('account', 11)).toBeUndefined();
  expect(room.take('account', 10)).toBeTypeOf('function');
  expect(room.take('neighbour', 41)).toBeUndefined();
  expect(room.take('neighbour', 40)).toBeTypeOf('function');
  expect(room.held()).toBe(100);
});

it('room is given back once, and whoever waits is told', () => {
  const room = create();
  const onRoom = vi.fn<() => void>();
  room.onRoom(onRoom);
  const giveBack = room.take('account', 60);
  giveBack?.();
  giveBack?.();
  expect(room.held()).toBe(0);
  expect(onRoom).toHaveBeenCalledOnce();
});
