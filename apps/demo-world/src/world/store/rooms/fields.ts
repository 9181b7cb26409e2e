import { valueAt } from '../../differences.ts';
import type { Document } from '../../document.ts';

/** Readers of one field of a document. What is missing or of another type reads as `fallback`. */

export function textAt(document: Document, path: string, fallback: string): string {
  const value = valueAt(document, path);
  return typeof value === 'string' ? value : fallback;
}

export function flagAt(document: Document, path: string, fallback: boolean): boolean {
  const value = valueAt(document, path);
  return typeof value === 'boolean' ? value : fallback;
}

/** A whole number within bounds: what lies beyond them is the nearest bound. */
export function countAt(
  document: Document,
  path: string,
  fallback: number,
  { min = 0, max = 1_000_000 }: { min?: number; max?: number } = {},
): number {
  const value = valueAt(document, path);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return fallback;
  return Math.min(max, Math.max(min, Math.trunc(number)));
}
