import { comma, endOfString, endOfValue, quote, skipSpace } from '../json/json-text.ts';

/** A reply has about ten members; in one with very many the member is not looked for to the end. */
const maxMembers = 1_000;

/**
 * The text of a JSON object without its first member of this name, as the two parts around it: a reply of 15 MB is not
 * parsed for that, which would block all worlds of this instance for 250 ms. An object without such a member comes back whole.
 */
export function cutMember(text: Buffer, name: string): [Buffer, Buffer] {
  const key = JSON.stringify(name);
  const whole: [Buffer, Buffer] = [text, text.subarray(text.length)];
  let commaBefore = -1;
  let keyAt = skipSpace(text, skipSpace(text, 0) + 1);
  for (let members = 0; members < maxMembers && text[keyAt] === quote; members++) {
    const keyEnd = endOfString(text, keyAt);
    if (keyEnd === -1) return whole;
    const valueEnd = endOfValue(text, skipSpace(text, skipSpace(text, keyEnd) + 1));
    if (valueEnd === -1) return whole;
    const next = skipSpace(text, valueEnd);
    const isLast = text[next] !== comma;
    if (keyEnd - keyAt === key.length && text.toString('latin1', keyAt, keyEnd) === key) {
      if (!isLast) return [text.subarray(0, keyAt), text.subarray(next + 1)];
      return [text.subarray(0, commaBefore === -1 ? keyAt : commaBefore), text.subarray(next)];
    }
    if (isLast) return whole;
    commaBefore = next;
    keyAt = skipSpace(text, next + 1);
  }
  return whole;
}
