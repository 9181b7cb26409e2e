import { createHash, timingSafeEqual } from 'node:crypto';

/** What is kept of a handover. Whoever reads the store learns nothing that would open a claim. */
export function digestOf(handover: string): string {
  return createHash('sha256').update(handover).digest('base64url');
}

/** Compares two digests in constant time. */
export function isSameDigest(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
