import type { Document } from '../document.ts';

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * A document after changes. Dotted names lead to inner fields, objects are merged, other values replace, and
 * `-=name` removes a field, as tabletops of this kind have it.
 */
export function mergeDocument(base: Document, changes: Document): Document {
  const merged = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    const [first, ...rest] = name.split('.') as [string, ...string[]];
    if (forbidden.has(first)) continue;
    if (rest.length > 0) merged[first] = mergeDocument(inner(merged[first]), { [rest.join('.')]: value });
    else if (first.startsWith('-=')) delete merged[first.slice(2)];
    else merged[first] = isDocument(value) ? mergeDocument(inner(merged[first]), value) : value;
  }
  return merged;
}

/** Values of the rules win over those that were only written into the document. */
export function withMore(known: Document, more: Document | undefined): Document {
  return more ? mergeDocument(more, known) : known;
}

export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const inner = (value: unknown): Document => (isDocument(value) ? value : {});
