import type { Entry, Section } from './document.ts';

/** A part of a guide that can be found. */
export interface GuidePart {
  /** The guide and, but for the guide itself, the heading in it. */
  title: string;
  href: string;
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The groups with the entries that hold every word of the query; groups without any are left out. */
export function searchEntries(sections: readonly Section[], query: string): Section[] {
  const words = wordsOf(query);
  if (words.length === 0) return [...sections];
  return sections
    .map((section) => ({
      ...section,
      groups: section.groups
        .map((group) => ({
          ...group,
          entries: group.entries.filter((entry) => {
            const text = textOf(entry, group.title);
            return words.every((word) => text.includes(word));
          }),
        }))
        .filter(({ entries }) => entries.length > 0),
    }))
    .filter(({ groups }) => groups.length > 0);
}

/** The parts of guides whose titles hold every word of the query, as many as fit a glance. */
export function searchGuides(parts: readonly GuidePart[], query: string): GuidePart[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return parts.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word))).slice(0, 8);
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
