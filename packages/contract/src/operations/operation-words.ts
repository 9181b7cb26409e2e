import type { Operation } from './operation.ts';

/** What verbs are of things past, where no rule says it. A summary begins with a verb. */
const irregular: Readonly<Record<string, string>> = {
  begin: 'began',
  break: 'broke',
  bring: 'brought',
  build: 'built',
  buy: 'bought',
  cast: 'cast',
  choose: 'chose',
  cut: 'cut',
  deal: 'dealt',
  describe: 'read about',
  draw: 'drew',
  feed: 'fed',
  find: 'looked for',
  fly: 'flew',
  get: 'got',
  give: 'gave',
  go: 'went',
  hide: 'hid',
  hit: 'hit',
  hold: 'held',
  keep: 'kept',
  lay: 'laid',
  leave: 'left',
  let: 'let',
  lose: 'lost',
  make: 'made',
  pay: 'paid',
  put: 'put',
  read: 'read',
  reset: 'reset',
  rewrite: 'rewrote',
  run: 'ran',
  see: 'saw',
  sell: 'sold',
  send: 'sent',
  set: 'set',
  shut: 'shut',
  spend: 'spent',
  spin: 'spun',
  split: 'split',
  take: 'took',
  tell: 'asked',
  throw: 'threw',
  undo: 'undid',
  wake: 'woke',
  win: 'won',
  write: 'wrote',
};

/** Regular verbs whose last letter is doubled though they have two syllables. */
const doubled = new Set(['equip', 'unequip', 'refer', 'submit', 'transfer']);

/** Words before which a verb stands, and no noun: "equip or stow an item". */
const objects = new Set(['a', 'an', 'the', 'its', 'that', 'it', 'them', 'all', 'one']);

/** Words that such a word may follow too, and that are no verbs: "or of one sound". */
const prepositions = new Set(['at', 'by', 'for', 'from', 'in', 'of', 'on', 'to', 'with']);

/**
 * What a program did, for the person whose world it is: "went to the next turn". It goes on from the program's name and
 * follows from the operation's summary.
 */
export function pastWords({ summary }: Pick<Operation, 'summary'>): string {
  const words = summary.charAt(0).toLowerCase() + summary.slice(1);
  return words
    .split(' ')
    .map((word, index, all) => (isVerb(all, index) ? word.replace(/[\w-]+/, pastOf) : word))
    .join(' ');
}

/** The first word is a verb. So is one after "and" or "or" that stands where a second verb stands. */
function isVerb(words: readonly string[], index: number): boolean {
  if (index === 0) return true;
  const [before = '', word = ''] = words.slice(index - 1, index + 1);
  if (!/^(and|or)$/.test(before) || objects.has(word) || prepositions.has(word)) return false;
  return index === 2 || objects.has(words[index + 1] ?? '');
}

function pastOf(verb: string): string {
  if (Object.hasOwn(irregular, verb)) return irregular[verb]!;
  if (verb.endsWith('e')) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  const doubles = doubled.has(verb) || /^[^aeiou]*[aeiou][bdgklmnprtz]$/.test(verb);
  return doubles ? `${verb}${verb.slice(-1)}ed` : `${verb}ed`;
}

/** What an operation tried in vain, in words: "tried to go to the next turn". */
export function triedWords({ summary }: Pick<Operation, 'summary'>): string {
  return `tried to ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
}
