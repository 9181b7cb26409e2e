import { differences } from '../differences.ts';
import type { Document } from '../document.ts';

/** A thing before and after a step: it is new without `before`, and gone without `after`. */
export interface Change<T> {
  before: T | undefined;
  after: T | undefined;
}

/** The things that differ, in the new order and then those that are gone. Lists that were not replaced cost nothing. */
export function changedThings<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (thing: T) => string,
): Change<T>[] {
  if (before === after) return [];
  const old = new Map(before.map((thing) => [keyOf(thing), thing]));
  const now = new Map(after.map((thing) => [keyOf(thing), thing]));
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((key) => ({ before: old.get(key), after: now.get(key) }))
    .filter((change) => change.before !== change.after);
}

/** Changes from one document to the next, nested as the documents are; undefined if there are none. */
export function changesBetween(before: Document, after: Document): Document | undefined {
  const changes: Document = {};
  for (const [path, value] of Object.entries(differences(before, after)))
    set(changes, path.split('.'), value);
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function set(into: Document, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) into[key] = value;
  else set((into[key] ??= {}) as Document, rest, value);
}
