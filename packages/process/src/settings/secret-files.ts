import { readFileSync } from 'node:fs';

/**
 * Returns the current value of a secret, given its value at the start. A secret from a file is read again, so that a
 * new connection uses a password that was changed meanwhile. Any other secret stays the same, and so does one whose
 * file cannot be read.
 */
export type Reread = (value: string) => string;

/** Reads a secret's file without the line end that editors and `echo` add. */
export function readSecretFile(file: string): string {
  return readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
}

/** @param sources maps each value at the start to a function that reads its current value */
export function createReread(sources: ReadonlyMap<string, () => string | undefined>): Reread {
  const last = new Map<string, string>();
  return (value) => {
    try {
      const now = sources.get(value)?.();
      if (now) last.set(value, now);
    } catch {
      // The file is missing for a moment while it is replaced.
    }
    return last.get(value) ?? value;
  };
}
