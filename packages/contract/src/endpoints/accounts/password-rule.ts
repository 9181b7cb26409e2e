/**
 * The rule of new passwords, in numbers and words. Characters are code points. The relay checks it, and the dashboard says it,
 * so both have it from here.
 */
export const passwordRule = {
  minLength: 10,
  maxLength: 128,
  /** From here on a password need not be hard to guess by zxcvbn's estimate. */
  longLength: 15,
  /** Of zxcvbn's scores 0 to 4: 3 stands for ten to the eighth guesses and more. */
  minScore: 3,
  /** So many characters must be left without the words that everybody knows. */
  minOwnLength: 8,
  hint:
    '15 characters or more, for example a few words in a row; or 10 to 14 that are hard to guess. ' +
    'Common passwords, the names of this service and your e-mail address do not count.',
  easyToGuess: 'is short and easy to guess: take 15 characters or more, for example a few words in a row',
  common: 'is among the passwords that are tried first; choose another',
  knownWords: 'is little else than names of this service or parts of your e-mail address; choose another',
} as const;
