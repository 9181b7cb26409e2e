import { backslash, closeBrace, comma, openBrace, quote, skipSpace } from '../json/json-text.ts';
import { endOf, endOfValidKey, endOfValidValue } from '../json/valid-json.ts';

/** What a reply is matched by. */
export interface ReplyHead {
  type: string;
  requestId: string;
}

const names = ['type', 'requestId', 'error'] as const;
const keys = names.map((name) => ({ name, text: Buffer.from(`"${name}"`) }));
/** Types and ids of the relay are shorter than this. */
const maxTextBytes = 1_024;
const letterN = 0x6e;
const letterF = 0x66;

/**
 * Reads the head of a large reply, and sees that its whole text is JSON, without an object for any of it: parsing takes more than
 * twice as long, and holds up all worlds of the instance meanwhile. What it returns is what `JSON.parse` would read. Undefined
 * decides nothing, such a frame is to be parsed: another kind of frame, an `error` that is one, an invalid text, or one that is not written as
 * replies are (escapes in a name, the type or the id; a name twice; very deep).
 */
export function scanReply(text: Buffer): ReplyHead | undefined {
  const head: Partial<ReplyHead> = {};
  let at = skipSpace(text, 0);
  if (text[at] !== openBrace) return undefined;
  do {
    const keyAt = skipSpace(text, at + 1);
    const valueAt = endOfValidKey(text, keyAt);
    if (valueAt === -1 || hasEscape(text, keyAt, valueAt)) return undefined;
    const valueEnd = endOfValidValue(text, valueAt);
    if (valueEnd === -1) return undefined;
    const name = nameAt(text, keyAt);
    if (name === 'error') {
      // `null` and `false` are none: some modules write so into each of their replies.
      if (text[valueAt] !== letterN && text[valueAt] !== letterF) return undefined;
    } else if (name !== undefined) {
      const value = plainString(text, valueAt, valueEnd);
      if (value === undefined || head[name] !== undefined) return undefined;
      if (name === 'type' && !value.endsWith('-result')) return undefined;
      head[name] = value;
    }
    at = skipSpace(text, valueEnd);
  } while (text[at] === comma);
  // Once a read has gone beyond the last byte, V8 makes all reads of the scan slower by half. So only a space is looked behind.
  const isAll = at + 1 === text.length || skipSpace(text, at + 1) === text.length;
  if (text[at] !== closeBrace || !isAll) return undefined;
  const { type, requestId } = head;
  return type !== undefined && requestId !== undefined ? { type, requestId } : undefined;
}

function nameAt(text: Buffer, at: number): (typeof names)[number] | undefined {
  for (const key of keys) if (endOf(text, at, key.text) !== -1) return key.name;
  return undefined;
}

function hasEscape(text: Buffer, at: number, end: number): boolean {
  for (; at < end; at++) if (text[at] === backslash) return true;
  return false;
}

/** A string of ASCII without escapes, without its quotes; undefined for any other value. */
function plainString(text: Buffer, at: number, end: number): string | undefined {
  if (text[at] !== quote || end - at > maxTextBytes) return undefined;
  for (let index = at; index < end; index++)
    if (text[index] === backslash || (text[index] as number) > 0x7e) return undefined;
  return text.toString('latin1', at + 1, end - 1);
}
