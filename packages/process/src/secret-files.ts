import { readFileSync } from 'node:fs';

/**
 * What a secret is by now, by what it was at the start: one that came from a file is read again, so that a new
 * connection takes a password that was changed meanwhile. Any other stays; so does one whose file is away.
 */
export type Reread = (value: string) => string;

/** The text of a secret's file; an editor's or `echo`'s line end is no part of it. */
export function readSecretFile(file: string): string {
  return readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
}

/** @param sources of each value as it was at the start, how to read it now */
export function createReread(sources: ReadonlyMap<string, () => string | undefined>): Reread {
  const last = new Map<string, string>();
  return (value) => {
    try {
      const now = sources.get(value)?.();
      if (now) last.set(value, now);
    } catch {
      // A file is away for a moment while it is replaced.
    }
    return last.get(value) ?? value;
  };
}
