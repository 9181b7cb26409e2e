import type { Entry, Section } from './document.ts';

/** A part of a guide that can be found. */
export interface GuidePart {
  /** The guide and, but for the guide itself, the heading in it. */
  title: string;
  href: string;
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Words of the table for what the calls name otherwise. */
const others: Readonly<Record<string, readonly string[]>> = {
  character: ['actor'],
  characters: ['actor'],
  monster: ['actor'],
  npc: ['actor'],
  hit: ['attribute'],
  hp: ['attribute'],
  points: ['attribute'],
  damage: ['attribute'],
  heal: ['attribute'],
  fight: ['encounter'],
  combat: ['encounter'],
  initiative: ['encounter'],
  dice: ['roll'],
  die: ['roll'],
  map: ['scene'],
  music: ['playlist', 'sound'],
  player: ['user'],
  players: ['user'],
  journal: ['document'],
  condition: ['effect'],
};

/** How well a text fits a word: 2 where the word stands in it, 1 where a word of it begins so, or another name of it does; else 0. */
function fit(text: string, word: string): number {
  const begins = (one: string) => new RegExp(`(?:^|[^\\p{L}\\p{N}])${escape(one)}`, 'u').test(text);
  if (new RegExp(`(?:^|[^\\p{L}\\p{N}])${escape(word)}(?![\\p{L}\\p{N}])`, 'u').test(text)) return 2;
  return begins(word) || (others[word] ?? []).some(begins) ? 1 : 0;
}

const escape = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** The sum of how well each word fits; 0 where one of them does not. */
function fitOfAll(text: string, words: readonly string[]): number {
  const fits = words.map((word) => fit(text, word));
  return fits.includes(0) ? 0 : fits.reduce((sum, one) => sum + one, 0);
}

/**
 * The groups with the entries that hold every word of the query, whole words before beginnings of words; where none has all, those that
 * have one. Groups without any are left out.
 */
export function searchEntries(sections: readonly Section[], query: string): Section[] {
  const words = wordsOf(query);
  if (words.length === 0) return [...sections];
  const found = foundBy(sections, (text) => fitOfAll(text, words));
  if (found.length > 0 || words.length === 1) return found;
  return foundBy(sections, (text) => Math.max(...words.map((word) => fit(text, word))));
}

function foundBy(sections: readonly Section[], fits: (text: string) => number): Section[] {
  return sections
    .map((section) => ({
      ...section,
      groups: section.groups
        .map((group) => ({
          ...group,
          entries: group.entries
            .map((entry) => ({ entry, rank: fits(textOf(entry, group.title)) }))
            .filter(({ rank }) => rank > 0)
            .toSorted((one, other) => other.rank - one.rank)
            .map(({ entry }) => entry),
        }))
        .filter(({ entries }) => entries.length > 0),
    }))
    .filter(({ groups }) => groups.length > 0);
}

/** The parts of guides whose titles hold every word of the query, whole words first, as many as fit a glance. */
export function searchGuides(parts: readonly GuidePart[], query: string): GuidePart[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return parts
    .map((part) => ({ part, rank: fitOfAll(part.title.toLowerCase(), words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, 8)
    .map(({ part }) => part);
}

/** All that somebody may look a call up by: its words, address, scope, and the names of what goes in. */
function textOf(entry: Entry, groupTitle: string): string {
  const { method, path, summary, description = '', operationId, parameters = [] } = entry;
  return [
    groupTitle,
    method,
    path,
    summary,
    description,
    operationId,
    entry['x-scope'] ?? '',
    entry['x-sdk-method'] ?? '',
    ...parameters.map(({ name }) => name),
  ]
    .join(' ')
    .toLowerCase();
}
