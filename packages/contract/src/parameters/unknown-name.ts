import { list } from '../errors/field-errors.ts';
import { spellsNarrowing } from './narrows.ts';
import { longestName, nearMiss } from './near-miss.ts';
import type { OperationReader } from './operation-reader.ts';

/** The names that a call or a stream knows. */
export type KnownNames = Pick<OperationReader, 'shownNames' | 'knownNames' | 'refusesUnknown'>;

/**
 * Why a name that is not among the known ones is refused. Undefined where it is ignored: then the call does what it would
 * do without it, and its caller is told.
 */
export function faultOfUnknown(reader: KnownNames, name: string): string | undefined {
  const known = () => `known are ${list([...reader.shownNames])}`;
  // Some library would take `__proto__`, `constructor` and the like for more than a name.
  if (name in Object.prototype) return `is unknown; ${known()}`;
  // What it may mean cannot be told within a bounded time.
  if (name.length > longestName)
    return `is unknown, and longer than any name: at most ${longestName} characters`;
  const meant = nearMiss(name, reader.knownNames);
  if (meant !== undefined) return `is unknown (did you mean \`${meant}\`?)`;
  if (spellsNarrowing(name))
    return `is not taken here, and without it the call would do more than was asked; ${known()}`;
  return reader.refusesUnknown ? `is unknown; ${known()}` : undefined;
}
