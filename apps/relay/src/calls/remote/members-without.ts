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
 * The members of the text of a JSON object but those of these names, in parts, without the braces around them. Undefined where the text is anything but one object: such a text
 * could close the object that it is put into, and name another request there.
 *
 * Only the outermost object is parsed, and values are skipped by their brackets: `JSON.parse` of 16 MiB of `[],[],...` takes two
 * seconds, in which all worlds of this instance stand still. That is enough. Where the whole that the text is put into is valid JSON, its
 * parser finds the end of this object at the same byte, which is the last one. Where it is not, no parser takes it.
 */
export function membersWithout(text: Buffer, names: readonly string[]): Buffer[] | undefined {
  const begin = skipSpace(text, 0);
  if (text[begin] !== openBrace) return undefined;
  let at = skipSpace(text, begin + 1);
  if (text[at] === closeBrace) return skipSpace(text, at + 1) === text.length ? [] : undefined;
  const left = new Set(names);
  const parts: Buffer[] = [];
  /** Where the members begin that are kept since the last cut; -1: none. */
  let keptFrom = -1;
  let keptTo = -1;
  const keep = () => {
    if (keptFrom === -1) return;
    if (parts.length > 0) parts.push(commaText);
    parts.push(text.subarray(keptFrom, keptTo));
    keptFrom = -1;
  };
  for (let members = 0; members < mostMembers; members++) {
    const member = readMember(text, at);
    if (!member) return undefined;
    const next = skipSpace(text, member.end);
    const isLast = text[next] === closeBrace;
    if (!isLast && text[next] !== comma) return undefined;
    const name = nameAmong(names, text, at, member.keyEnd);
    if (name !== undefined) {
      // Twice in one object: it is not told which of the two counts.
      if (!left.delete(name)) return undefined;
      keep();
    } else {
      if (keptFrom === -1) keptFrom = at;
      keptTo = member.end;
    }
    if (isLast) {
      if (skipSpace(text, next + 1) !== text.length) return undefined;
      keep();
      return parts;
    }
    at = skipSpace(text, next + 1);
  }
  return undefined;
}

const commaText = Buffer.from(',');

const nameAmong = (names: readonly string[], text: Buffer, at: number, end: number): string | undefined =>
  names.find((name) => isNamed(text, at, end, name));

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
