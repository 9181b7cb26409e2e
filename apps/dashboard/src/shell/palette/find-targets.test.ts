import { describe, expect, it } from 'vitest';
import { searchIndex } from '../../../static-pages/search-index.ts';
import { findTargets } from './find-targets.ts';
import type { Target } from './find-targets.ts';

const targets: Target[] = [
  { title: 'Roll out a version', kind: 'Guide', href: '/guides/roll' },
  { title: 'Create a key', kind: 'Page', href: '/dashboard/keys/new' },
  { title: 'Keys', kind: 'Page', href: '/dashboard/keys' },
  { title: 'Rollers', kind: 'Guide', href: '/guides/rollers' },
  { title: 'Initiative bot', kind: 'Key', href: '/dashboard/keys/1' },
  { title: 'Roll a skill check', kind: 'Operation', href: '/docs/skill-check', words: 'skill-check dnd5e' },
];

const titles = (query: string) => findTargets(targets, query).map(({ title }) => title);

it.each([
  ['key', ['Keys', 'Create a key']],
  ['keys', ['Keys', 'Create a key']],
  ['check SKILL', ['Roll a skill check']],
  ['skill-check', ['Roll a skill check']],
  ['dnd', ['Roll a skill check']],
  ['(', targets.map(({ title }) => title)],
  ['eys', []],
  ['constructor', []],
])('every word must be there, in any order and in further words too: %j', (query, found) => {
  expect(titles(query)).toEqual(found);
});

it('whole words come before beginnings, and the order of the list decides else', () => {
  expect(titles('roll')).toEqual(['Roll out a version', 'Roll a skill check', 'Rollers']);
});

it('where nothing has all words, what has one is found', () => {
  expect(titles('skill bot')).toEqual(['Initiative bot', 'Roll a skill check']);
});

it('shows a dozen at most', () => {
  const many = Array.from({ length: 50 }, (_, index) => ({ ...targets[0]!, href: String(index) }));
  expect(findTargets(many, '')).toHaveLength(12);
  expect(findTargets(many, 'roll')).toHaveLength(12);
});

describe('in the docs', () => {
  const found = (query: string) => findTargets(searchIndex(), query);

  it.each([
    ['roll', /^\/docs\/(roll|rolls|lastroll|skill-check|[\w-]+)$/],
    ['hit points damage', /^\/docs\/(increase|decrease)/],
    ['roll dice', /^\/docs\//],
    ['gold', /^\/docs\/[\w-]*currency$/],
    ['inventory', /^\/docs\//],
    ['combat', /^\/docs\/[\w-]*(encounter|turn|combat|round)/],
    ['rate limit', /^\/(guides|errors)\//],
    ['client_offline', /^\/errors\/client_offline$/],
    ['roll:execute', /^\/docs\//],
  ])('%j leads first to what was meant', (query, first) => {
    expect(found(query)[0]?.href).toMatch(first);
  });

  it('a limit of calls is found by more than one name', () => {
    expect(found('rate limit').length).toBeGreaterThan(3);
  });
});
