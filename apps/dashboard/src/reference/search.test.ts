import { describe, expect, it } from 'vitest';
import type { Entry, Section } from './document.ts';
import { searchEntries, searchGuides } from './search.ts';

const entry = (more: object): Entry =>
  ({ method: 'GET', path: '/x', summary: '', operationId: '', responses: {}, ...more }) as Entry;

const roll = entry({
  method: 'POST',
  path: '/roll',
  summary: 'Roll dice',
  operationId: 'roll',
  'x-scope': 'roll:execute',
});
const list = entry({
  path: '/rolls',
  summary: 'The last ones',
  description: 'Newest first.',
  operationId: 'listThem',
  'x-sdk-method': 'rolls.list',
  parameters: [{ name: 'limit', in: 'query' }],
});
const health = entry({ path: '/health', summary: 'Health' });

const sections = [
  { title: 'Worlds', groups: [{ title: 'Dice', entries: [roll, list] }] },
  {
    title: 'Relay',
    groups: [
      { title: 'State', entries: [health] },
      { title: 'Other', entries: [] },
    ],
  },
] as unknown as Section[];

const found = (query: string) =>
  searchEntries(sections, query).map(({ groups }) =>
    groups.map(({ title, entries }) => [title, entries.map(({ path }) => path)]),
  );

describe('calls', () => {
  it.each([
    ['dice', ['/roll', '/rolls']],
    ['roll', ['/roll', '/rolls']],
    ['DICE post', ['/roll']],
    ['/rolls', ['/rolls']],
    ['last', ['/rolls']],
    ['newest', ['/rolls']],
    ['listthem', ['/rolls']],
    ['execute', ['/roll']],
    ['rolls.list', ['/rolls']],
    ['  limit  ', ['/rolls']],
  ])('are found by all that one may look them up by: %j', (query, paths) => {
    expect(found(query)).toEqual([[['Dice', paths]]]);
  });

  it('are found where one word is if none has all, by other names too, and all are there without a word', () => {
    expect(found('dice health')).toEqual([[['Dice', ['/roll', '/rolls']]], [['State', ['/health']]]]);
    expect(found('die')).toEqual([[['Dice', ['/roll', '/rolls']]]]);
    expect(found('undefined')).toEqual([]);
    expect(found('olls')).toEqual([]);
    expect(found('(')).toEqual([]);
    expect(searchEntries(sections, ' ')).toEqual(sections);
  });
});

it('guides are found by the words of their titles, eight at most, and none without a word', () => {
  const parts = Array.from({ length: 10 }, (_, index) => ({
    title: `Pair a World ${index}`,
    href: `#${index}`,
  }));
  expect(searchGuides(parts, 'world PAIR')).toEqual(parts.slice(0, 8));
  expect(searchGuides(parts, 'pair 3')).toEqual([parts[3]]);
  const ways = [
    { title: 'Roll out a version', href: '#a' },
    { title: 'Rollers', href: '#b' },
    { title: 'The roll', href: '#c' },
  ];
  expect(searchGuides(ways, 'roll').map(({ href }) => href)).toEqual(['#a', '#c', '#b']);
  expect([searchGuides(parts, ''), searchGuides(parts, 'pair none')]).toEqual([[], []]);
});
