import { expect, test } from 'vitest';
import { errorsOf, messageOf, wireOf } from '../../test/reading.ts';

const many = Array.from({ length: 100_000 }, () => 0);

// To find the first wrong one of half a million took a second.
test('wrong elements of a long list are one fault, which names none of them', () => {
  const source = { path: { documentType: 'walls' }, body: { data: many.map(() => [{}]) } };
  expect(errorsOf('create-canvas-document', source)).toEqual([
    { field: 'data', place: 'body', message: expect.stringMatching(/^must be /) as unknown },
  ]);
  expect(messageOf('select', { body: { uuids: many } }, 'uuids')).toMatch(/^must be an array/);
  expect(messageOf('select', { body: { uuids: many.slice(0, 1_000) } }, 'uuids.0')).toMatch(
    /^must be a string/,
  );
});

test('one wrong element of a long list is refused, and the other faults are told as ever', () => {
  const uuids = [...Array.from({ length: 2_000 }, () => 'Token.a'), 5];
  expect(errorsOf('select', { body: { uuids, overwrite: 'yes' } })).toEqual([
    { field: 'overwrite', place: 'body', message: 'must be `true` or `false`' },
    { field: 'uuids', place: 'body', message: expect.stringMatching(/^must be an array/) as unknown },
  ]);
  expect(errorsOf('select', { body: { uuids: uuids.slice(0, -1), overwrite: 'yes' } })).toHaveLength(1);
});

test('of a hundred thousand unknown names a hundred are looked at', () => {
  const named = (count: number) =>
    Object.fromEntries(many.slice(0, count).map((_, index) => [`k${index}`, 0]));
  const tooMany = { field: 'body', place: 'body', message: 'holds more than 100 names that are unknown' };
  const check = { actorUuid: 'Actor.mira', skill: 'prc' };
  expect(errorsOf('skill-check', { body: { ...check, ...named(100_000) } })).toEqual([tooMany]);
  expect(errorsOf('skill-check', { body: { ...named(100), ...check } })).toEqual([]);
  expect(errorsOf('next-turn', { body: named(100_000) })).toHaveLength(20);
});

test('an object of more than 10,000 entries is refused, at any depth', () => {
  const entries = (count: number) =>
    Object.fromEntries(many.slice(0, count).map((_, index) => [`k${index}`, 0]));
  for (const data of [entries(10_001), { flags: entries(10_001) }])
    expect(messageOf('update', { body: { uuid: 'Actor.a', data } }, 'data')).toMatch(
      /more than 10000 entries/,
    );
  const data = entries(10_000);
  expect(wireOf('update', { body: { uuid: 'Actor.a', data } })).toMatchObject({ data });
});

test('nesting that would overflow the stack is refused, wherever it stands', () => {
  const deep = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)) as unknown;
  expect(messageOf('select', { body: { data: { x: deep } } }, 'data')).toBe('is nested too deep');
  for (const data of [{ x: deep }, [{ x: deep }]])
    expect(
      messageOf('create-canvas-document', { path: { documentType: 'walls' }, body: { data } }, 'data'),
    ).toBe('is nested too deep');
  expect(messageOf('update', { body: { uuid: 'Actor.a', data: { x: deep } } }, 'data')).toBe(
    'is nested too deep',
  );
  expect(errorsOf('start-encounter', { body: { tokens: deep, tokenUuids: deep } })).not.toEqual([]);
  expect(wireOf('select', { body: { data: { 'system.hp': { value: [1] } } } })).toHaveProperty('data');
});

// To bring half as many accents into their order took half a minute.
test('a name that is longer than any is refused without a look at its letters', () => {
  const startedAt = performance.now();
  for (const name of ['\u0315\u0316'.repeat(200_000), '\uFDFA'.repeat(200_000), `userId${'_'.repeat(60)}`])
    for (const operation of ['roll', 'next-turn'])
      expect(errorsOf(operation, { body: { formula: '1', [name]: 1 } })).toContainEqual({
        field: expect.stringMatching(/\.\.\.$/) as unknown,
        place: 'body',
        message: 'is unknown, and longer than any name: at most 64 characters',
      });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

// Four million ids between commas took two seconds, and a number of eight million digits half of one.
test.each([
  ['select', 'uuids', Array.from({ length: 200_002 }, () => 'a').join()],
  ['select', 'uuids', JSON.stringify(Array.from({ length: 200_002 }, () => 'a'))],
  ['select', 'data', `{"a":[${Array.from({ length: 100_001 }, () => '{}').join()}]}`],
  ['increase', 'amount', '1'.repeat(65)],
])('%s: too much of `%s` in a text is no value', (operation, name, text) => {
  expect(messageOf(operation, { body: { [name]: text } }, name)).toMatch(/^must be /);
});

test('as much as there may be in a text is read', () => {
  const uuids = Array.from({ length: 200_000 }, () => 'a');
  expect(wireOf('select', { body: { uuids: uuids.join() } })).toEqual({ uuids });
  const data = { walls: uuids.slice(0, 90_000).map(() => ({})) };
  expect(wireOf('update', { body: { uuid: 'Scene.a', data: JSON.stringify(data) } })).toMatchObject({ data });
});

test.each([
  'filter[userId]',
  'where[user_id]',
  'params.userId',
  'options[asUser][0]',
  'ownedByUserId',
  'a[to]',
])('a name that has a narrowing one in it is refused: %s', (name) => {
  for (const source of [{ query: { [name]: 'cleo' } }, { body: { [name]: 'cleo' } }])
    expect(messageOf('encounters', source, name)).toMatch(/more than was asked/);
});

test.each([null, ''])('a search by owner is no search without one: %j', (ownedByUserId) => {
  expect(messageOf('search', { query: { query: 'mira' }, body: { ownedByUserId } }, 'ownedByUserId')).toMatch(
    /^must be a string/,
  );
});
