/**
 * What no reader sees: control characters and line breaks, marks that turn the direction of text, characters of no
 * width. With them one name can look like another, or rearrange the sentence that it stands in.
 */
const hidden = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\u{FE0E}\u{FE0F}]]/gv;

/** Joiners that change what is seen: between the parts of an emoji, and within words of scripts that need them. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}[\u{FE0F}\p{Emoji_Modifier}]?)\u{200D}(?=\p{Extended_Pictographic})/gu;
const joiningScripts =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}' +
  '\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}]';
const wordJoiner = new RegExp(`(?<=${joiningScripts})[\\u{200C}\\u{200D}](?=${joiningScripts})`, 'gu');

/** Printable ASCII with single spaces within it: most names, and the same in their plain form. */
const alreadyPlain = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/**
 * A name that another person reads, in its one form: NFC, without space around it. Throws what `refuse` makes of the
 * reason where it has hidden characters or nothing but space; an empty one is the schema's to refuse.
 */
export function readPlainText(text: string, refuse: (reason: string) => Error): string {
  if (alreadyPlain.test(text)) return text;
  const plain = text.normalize('NFC').trim();
  const joiners = seenJoiners(plain);
  if ([...plain.matchAll(hidden)].some(({ index }) => !joiners.has(index))) {
    throw refuse('must not hold line breaks, control or invisible characters');
  }
  if (plain === '' && text !== '') throw refuse('must not be blank');
  return plain;
}

/** Counts joiners as hidden too, though they can be seen in names. For texts that are no names. */
export function hasHiddenCharacters(text: string): boolean {
  return text.search(hidden) !== -1;
}

/** A name that must not be refused, such as one that a module sends: NFC, a space for each run that is hidden. */
export function toPlainText(text: string): string {
  if (alreadyPlain.test(text)) return text;
  const normal = text.normalize('NFC');
  const joiners = seenJoiners(normal);
  return normal
    .replaceAll(hidden, (character, index: number) => (joiners.has(index) ? character : ' '))
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}

/** Where joiners stand that change what is seen. */
function seenJoiners(text: string): Set<number> {
  const joiners = [emojiJoiner, wordJoiner].flatMap((joiner) => [...text.matchAll(joiner)]);
  return new Set(joiners.map(({ index }) => index));
}
