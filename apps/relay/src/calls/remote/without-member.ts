import {
  closeBrace,
  colon,
  comma,
  endOfString,
  endOfValue,
  openBrace,
  quote,
  skipSpace,
} from '../../sockets/json-text.ts';

/** A reply has about ten members. */
const mostMembers = 10_000;

/**
 * The text of a JSON object without its member of this name, in parts. Undefined where the text is anything but one object: such a text
 * could close the object that it is put into, and name another request there.
 *
 * Only the outermost object is parsed, and values are skipped by their brackets: `JSON.parse` of 16 MiB of `[],[],...` takes two
 * seconds, in which all worlds of this instance stand still. That is enough. Where the whole that the text is put into is valid JSON, its
 * parser finds the end of this object at the same byte, which is the last one. Where it is not, no parser takes it.
 */
export function withoutMember(text: Buffer, name: string): Buffer[] | undefined {
  const begin = skipSpace(text, 0);
  if (text[begin] !== openBrace) return undefined;
  let at = skipSpace(text, begin + 1);
  if (text[at] === closeBrace) return skipSpace(text, at + 1) === text.length ? [text] : undefined;
  let [cutFrom, cutTo, endBefore] = [-1, -1, begin + 1];
  for (let members = 0; members < mostMembers; members++) {
    const member = readMember(text, at);
    if (!member) return undefined;
    const next = skipSpace(text, member.end);
    const isLast = text[next] === closeBrace;
    if (!isLast && text[next] !== comma) return undefined;
    if (isNamed(text, at, member.keyEnd, name)) {
      // Twice in one object: it is not told which of the two counts.
      if (cutFrom !== -1) return undefined;
      // With the comma behind it, or for the last one with that before it.
      [cutFrom, cutTo] = isLast ? [endBefore, next] : [at, next + 1];
    }
    if (isLast) {
      if (skipSpace(text, next + 1) !== text.length) return undefined;
      return cutFrom === -1 ? [text] : [text.subarray(0, cutFrom), text.subarray(cutTo)];
    }
    endBefore = member.end;
    at = skipSpace(text, next + 1);
  }
  return undefined;
}

/** Where the name and the value end of the member that begins at `at`. */
function readMember(text: Buffer, at: number): { keyEnd: number; end: number } | undefined {
  const keyEnd = text[at] === quote ? endOfString(text, at) : -1;
  if (keyEnd === -1) return undefined;
  const colonAt = skipSpace(text, keyEnd);
  if (text[colonAt] !== colon) return undefined;
  const end = endOfValue(text, skipSpace(text, colonAt + 1));
  return end === -1 ? undefined : { keyEnd, end };
}

/** Each character of a name may be written as an escape of six. */
const longestEscape = '\\u0000'.length;

function isNamed(text: Buffer, at: number, end: number, name: string): boolean {
  const written = end - at - 2;
  if (written < name.length || written > longestEscape * name.length) return false;
  const key = text.toString('latin1', at, end);
  if (!key.includes('\\')) return key === `"${name}"`;
  try {
    return JSON.parse(key) === name;
  } catch {
    return false;
  }
}
