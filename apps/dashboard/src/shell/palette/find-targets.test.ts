import { expect, it } from 'vitest';
import { findTargets } from './find-targets.ts';
import type { Target } from './find-targets.ts';

const targets: Target[] = [
  { title: 'Keys', kind: 'Page', href: '/dashboard/keys' },
  { title: 'Make a key', kind: 'Page', href: '/dashboard/keys/new' },
  { title: 'Initiative bot', kind: 'Key', href: '/dashboard/keys/1' },
  {
    title: 'Roll a skill check',
    kind: 'Operation',
    href: '/dashboard/try?operation=skill-check',
    words: 'skill-check',
  },
];

const titles = (query: string) => findTargets(targets, query).map(({ title }) => title);

it('what begins with the query comes first, then titles that hold it', () => {
  expect(titles('key')).toEqual(['Keys', 'Make a key']);
});

it('every word must be there, in any order and in further words too', () => {
  expect(titles('check SKILL')).toEqual(['Roll a skill check']);
  expect(titles('skill-check')).toEqual(['Roll a skill check']);
  expect(titles('skill bot')).toEqual([]);
  expect(titles('eys')).toEqual([]);
});

it('shows a dozen at most', () => {
  const many = Array.from({ length: 50 }, (_, index) => ({ ...targets[0]!, href: String(index) }));
  expect(findTargets(many, '')).toHaveLength(12);
});
