import type { Document } from './document.ts';

/** The changes from the first document to the second, by dotted path. Arrays count as a whole; a removed value is null. */
export function differences(before: Document, after: Document, prefix = ''): Document {
  const changes: Document = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[key], after[key]];
    if (Object.is(old, now)) continue;
    if (isDocument(old) && isDocument(now)) Object.assign(changes, differences(old, now, `${prefix}${key}.`));
    else if (JSON.stringify(old) !== JSON.stringify(now)) changes[`${prefix}${key}`] = now ?? null;
  }
  return changes;
}

/** The value at a dotted path; undefined where there is none. */
export function valueAt(document: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (isDocument(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      document,
    );
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
