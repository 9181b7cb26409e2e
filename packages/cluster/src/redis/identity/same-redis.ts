import type { OtherReading, RedisReading } from '../../cluster.ts';

/** What this instance has found, and for how long. */
export interface OwnFinding {
  /** The id that its Redis has, or is to get. */
  id: string;
  /** The id that was found there; '' for none. */
  found: string;
  /** It has served with this id. One that starts has not. */
  hasServed: boolean;
  /** How long it has found no id, and how long it has asked the others. */
  noneForMs: number;
  askingForMs: number;
  /** How long the word of an instance counts. */
  wordMs: number;
}

export interface Verdict {
  /** `unclear`: it must wait for the word of the other. */
  is: 'ours' | 'unclear' | 'foreign';
  /** The instance whose Redis is another one. */
  other?: OtherReading | undefined;
}

/**
 * Whether an instance is on the Redis of the others on its database. This is the rule for all of it: at the start, after an
 * emptied Redis, and where the same address leads to another server.
 */
export function judgeRedis(mine: OwnFinding, others: readonly OtherReading[]): Verdict {
  const { id, found, wordMs } = mine;
  if (!mine.hasServed) {
    // After an outage of Postgres the word of all is old. So one that starts gives them the time to speak again.
    const isHeard = ({ heardMs }: OtherReading): boolean => heardMs < wordMs || mine.askingForMs < wordMs;
    // Where there is no id, one of the others that serve has to write it.
    const other = others.find((one) => servesThere(one) && isHeard(one) && one.id !== found);
    return other ? { is: 'unclear', other } : { is: 'ours' };
  }
  const heard = others.filter(({ heardMs }) => heardMs < wordMs);
  const other = heard.find((one) => servesThere(one) && one.id !== id);
  if (other || (found !== '' && found !== id))
    return { is: 'foreign', other: other ?? heard.find(reads(id)) };
  if (found === id) return { is: 'ours' };
  // A restart may have emptied it, or the address leads to another server while the others are where they were.
  const readers = heard.filter((one) => reads(id)(one) && one.ageMs < wordMs);
  const since = readers.find(({ ageMs }) => ageMs < mine.noneForMs - wordMs);
  if (since) return { is: 'foreign', other: since };
  return readers[0] ? { is: 'unclear', other: readers[0] } : { is: 'ours' };
}

/** One that has come to another Redis than its own serves nothing, so nobody has to agree with it. */
export const servesThere = ({ id, found }: Pick<RedisReading, 'id' | 'found'>): boolean =>
  found === '' || found === id;

const reads =
  (id: string) =>
  ({ found }: OtherReading): boolean =>
    found === id;
