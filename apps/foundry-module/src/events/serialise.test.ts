import { beforeEach, expect, test, vi } from 'vitest';
import { serialise } from './serialise.ts';

beforeEach(() => {
  vi.stubGlobal('Node', Number);
  vi.stubGlobal('Event', Number);
  return () => vi.unstubAllGlobals();
});

test('arguments become plain data: documents as they are stored, without functions, circles and secrets', () => {
  const circle: Record<string, unknown> = { name: 'x' };
  circle['self'] = circle;
  const document = {
    documentName: 'User',
    uuid: 'User.x',
    toObject: () => ({ _id: 'x', password: 'secret', passwordSalt: 'salt' }),
  };
  const told = [serialise(document), serialise({ document }), serialise({ run: () => 1, count: Number.NaN })];
  expect(told).toEqual([{ _id: 'x', uuid: 'User.x' }, { _id: 'x', uuid: 'User.x' }, { count: null }]);
  // The changes that a hook tells beside the document.
  expect(serialise({ name: 'x', password: 'secret' })).toEqual({ name: 'x' });
  expect(JSON.stringify(serialise(circle)).length).toBeLessThan(300);
  expect(serialise([new Set([1]), new Map([['a', 1]]), new Date(), undefined])).toEqual([
    [1],
    { a: 1 },
    null,
    null,
  ]);
});

test('what is large is told of by its name alone', () => {
  const large = { _id: 'x', uuid: 'Actor.x', name: 'Long', text: 'a'.repeat(70_000) };
  expect(serialise(large)).toEqual({ _id: 'x', uuid: 'Actor.x', name: 'Long', isCut: true });
});
