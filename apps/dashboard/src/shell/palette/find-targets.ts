/** Something that has a page, or that is done from wherever one is. */
export interface Target {
  title: string;
  kind: 'Page' | 'World' | 'Key' | 'Action' | 'Operation' | 'Docs' | 'Guide';
  /** Where it is. Of an action that is done at once, a name of its own. */
  href: string;
  /** Does it at once, in place of going there. */
  run?: () => Promise<void>;
  /** Further words that it is found by. */
  words?: string;
}

const most = 12;

/** Those in which words begin as all of the query do; those whose title begins with the query first. */
export function findTargets(targets: readonly Target[], query: string): Target[] {
  const text = spaced(query).trimEnd();
  const words = text.split(' ').slice(1);
  const hasAll = (inText: string) => words.every((word) => inText.includes(` ${word}`));
  const rank = ({ title }: Target) => {
    const name = spaced(title);
    return name.startsWith(text) ? 0 : hasAll(name) ? 1 : 2;
  };
  return targets
    .filter(({ title, words: more = '' }) => hasAll(spaced(`${title} ${more}`)))
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, most);
}

/** Words in lower case with one space before each. */
const spaced = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()}`;
