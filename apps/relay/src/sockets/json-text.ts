/** Positions in the text of JSON, found without parsing it. */

export const quote = 0x22;
const backslash = 0x5c;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** Strings up to this length are scanned byte by byte. For short strings that is faster than `indexOf`. */
const shortString = 32;

/** The position of the next byte that is no white space. */
export function skipSpace(text: Uint8Array, at: number): number {
  for (;;) {
    const byte = text[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at++;
  }
}

/** The position behind the value that begins at `at`; -1 if it does not end. Brackets are counted, not matched. */
export function endOfValue(text: Buffer, at: number): number {
  const first = text[at];
  if (first === quote) return endOfString(text, at);
  if (first === openBrace || first === openBracket) return endOfNested(text, at);
  const from = at;
  for (; at < text.length; at++) {
    const byte = text[at] as number;
    if (byte <= 0x20 || byte === comma || byte === closeBrace) break;
  }
  return at === from ? -1 : at;
}

function endOfNested(text: Buffer, at: number): number {
  const { length } = text;
  let depth = 0;
  while (at < length) {
    const byte = text[at];
    if (byte === quote) {
      at = endOfString(text, at);
      if (at === -1) return -1;
      continue;
    }
    at++;
    if (byte === openBrace || byte === openBracket) depth++;
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return at;
  }
  return -1;
}

/** The position behind the string whose opening quote is at `at`; -1 if it has no closing quote. */
export function endOfString(text: Buffer, at: number): number {
  const { length } = text;
  at++;
  for (;;) {
    const until = Math.min(at + shortString, length);
    while (at < until) {
      const byte = text[at++];
      if (byte === quote) return at;
      if (byte === backslash) at++;
    }
    if (at >= length) return -1;
    // A long string ends at the next quote that does not follow an odd number of backslashes.
    const next = text.indexOf(quote, at);
    if (next === -1) return -1;
    let slashes = 0;
    while (text[next - slashes - 1] === backslash) slashes++;
    at = next + 1;
    if (slashes % 2 === 0) return at;
  }
}
