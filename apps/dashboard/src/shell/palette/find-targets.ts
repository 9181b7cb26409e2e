import { fit, wordsOf } from '../../words/fit.ts';

/** Something that has a page, or that is done from wherever one is. */
export interface Target {
  title: string;
  kind: 'Page' | 'World' | 'Key' | 'Action' | 'Operation' | 'Endpoint' | 'Guide' | 'Error';
  /** Where it is. Of an action that is done at once, a name of its own. */
  href: string;
  /** Does it at once, in place of going there. */
  run?: () => Promise<void>;
  /** Further words that it is found by. */
  words?: string;
}

const most = 12;
const few = 3;

/**
 * Those that have every word of the query: whole words before beginnings, titles before further words, and else in the order of the
 * list. Where hardly any has all, those that have one follow.
 */
export function findTargets(targets: readonly Target[], query: string): Target[] {
  const words = wordsOf(query);
  const ranked = targets
    .map((target) => {
      const [title, more] = [wordsOf(target.title), wordsOf(target.words ?? '')];
      const fits = words.map((word) => fit(title, word) * 3 || fit(more, word));
      const begins = title.join(' ').startsWith(words.join(' ')) ? 1 : 0;
      return { target, hasAll: !fits.includes(0), rank: fits.reduce((sum, one) => sum + one, begins) };
    })
    .toSorted((one, other) => other.rank - one.rank);
  const withAll = ranked.filter(({ hasAll }) => hasAll);
  const others = withAll.length < few ? ranked.filter(({ hasAll, rank }) => !hasAll && rank > 0) : [];
  return [...withAll, ...others].slice(0, most).map(({ target }) => target);
}
