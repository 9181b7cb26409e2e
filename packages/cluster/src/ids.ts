import { randomBytes } from 'node:crypto';

/** A new random id for this process (80 bits). */
export function newBoot(): string {
  return randomBytes(10).toString('hex');
}
