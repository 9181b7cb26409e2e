import { randomBytes } from 'node:crypto';

/** 80 random bits: names a process for as long as it lives, and never again. */
export function newBoot(): string {
  return randomBytes(10).toString('hex');
}
