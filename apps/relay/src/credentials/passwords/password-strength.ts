import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

let estimator: Promise<ZxcvbnFactory> | undefined;
let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Zxcvbn's score of a password, from 0 to 4; `words` count as known to whoever guesses. It runs on the event loop, so it
 * gets short passwords only: one of 14 characters takes a few milliseconds. The dictionary is the common one: 57,009 words
 * and passwords. With the English one each estimate takes five to seven times as long, and the process 35 MB more.
 */
export async function scorePassword(password: string, words: readonly string[]): Promise<number> {
  estimator ??= createEstimator();
  return (await estimator).check(password, [...words]).score;
}

async function createEstimator(): Promise<ZxcvbnFactory> {
  const [core, words] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]);
  return new core.ZxcvbnFactory({
    dictionary: words.dictionary,
    graphs: words.adjacencyGraphs,
    // Each substitution adds a password to look up. A text of such signs alone would take a hundred milliseconds.
    l33tMaxSubstitutions: 10,
  });
}

/**
 * Whether a password is one of the 49,233 most common ones of @zxcvbn-ts/language-common (MIT), or one of them
 * followed by up to four digits or marks.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  const passwords = await common;
  const plain = password.toLowerCase();
  return passwords.has(plain) || passwords.has(plain.replace(/[^a-z]{1,4}$/, '')) || new Set(plain).size < 4;
}
