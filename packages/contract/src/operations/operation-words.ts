import type { Operation } from './operation.ts';

/** The verbs of summaries and what they are of things past. A summary begins with one of them. */
const past: Readonly<Record<string, string>> = {
  add: 'added',
  attune: 'attuned',
  change: 'changed',
  create: 'created',
  delete: 'deleted',
  describe: 'read about',
  download: 'downloaded',
  end: 'ended',
  equip: 'equipped',
  fetch: 'fetched',
  find: 'looked for',
  give: 'gave',
  go: 'went',
  list: 'listed',
  make: 'made',
  mark: 'marked',
  measure: 'measured',
  move: 'moved',
  pause: 'paused',
  play: 'played',
  prepare: 'prepared',
  put: 'put',
  read: 'read',
  remove: 'removed',
  roll: 'rolled',
  run: 'ran',
  search: 'searched',
  select: 'selected',
  send: 'sent',
  set: 'set',
  show: 'showed',
  skip: 'skipped',
  spend: 'spent',
  start: 'started',
  stop: 'stopped',
  stow: 'stowed',
  switch: 'switched',
  take: 'took',
  tell: 'asked',
  upload: 'uploaded',
  use: 'used',
  write: 'wrote',
};

/**
 * What a program did, for the person whose world it is: "went to the next turn". It goes on from the program's name and follows
 * from the operation's summary. A verb that is not in the list gives the operation's name instead.
 */
export function pastWords({ name, summary }: Pick<Operation, 'name' | 'summary'>): string {
  const [first = ''] = summary.split(' ', 1);
  const did = past[first.toLowerCase()];
  if (!did) return `called ${name}`;
  const rest = summary
    .slice(first.length)
    .replaceAll(/\b(or|and) (\w+)/g, (text, word: string, verb: string) =>
      past[verb] ? `${word} ${past[verb]}` : text,
    );
  return did + rest;
}

/** The same of what it tried in vain: "tried to go to the next turn". */
export function triedWords({ summary }: Pick<Operation, 'summary'>): string {
  return `tried to ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
}
