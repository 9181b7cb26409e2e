import { colon, comma, endOfString, endOfValue, openBrace, quote, skipSpace } from '../json-text.ts';

/** What stands in the first 64 KiB of a frame. */
export interface FrameHead {
  /** '' where it is no short text. */
  type?: string;
  /** '' where it is no short text. */
  requestId?: string;
  /** Set where it has an `error` that is one: some modules write `null` or `false` into each of their replies. */
  hasError?: true;
}

/** So much of a frame is looked through, which takes a tenth of a millisecond: what stands behind it is not seen. */
export const headBytes = 64 * 1024;
/** Types and ids of the relay are shorter than this, escapes included. */
const maxTextBytes = 1_024;

/**
 * Reads a frame's head without parsing the frame. It is what `JSON.parse` would read there, unless the frame names one of its keys
 * twice: the first counts here, and any error. A frame that is not a JSON object is read as far as it looks like one.
 */
export function readFrameHead(frame: Buffer): FrameHead {
  const text = frame.subarray(0, headBytes);
  const head: FrameHead = {};
  let at = skipSpace(text, 0);
  if (text[at] !== openBrace) return head;
  do {
    at = skipSpace(text, at + 1);
    const keyEnd = text[at] === quote ? endOfString(text, at) : -1;
    if (keyEnd === -1) return head;
    const key = keyOf(text, at, keyEnd);
    const colonAt = skipSpace(text, keyEnd);
    if (text[colonAt] !== colon) return head;
    const valueAt = skipSpace(text, colonAt + 1);
    // Before its end is looked for, which may be beyond the head.
    if (key === 'error' && !isNone(text[valueAt])) head.hasError = true;
    const valueEnd = endOfValue(text, valueAt);
    if (valueEnd === -1) return head;
    if (key === 'type' || key === 'requestId') head[key] ??= stringAt(text, valueAt, valueEnd);
    at = skipSpace(text, valueEnd);
  } while (text[at] === comma);
  return head;
}

/** `null` and `false`, by their first byte. */
const isNone = (first: number | undefined): boolean => first === 0x6e || first === 0x66;

const keys = ['type', 'requestId', 'error'] as const;
const shortestKey = 'type'.length;
const longestEscapedKey = 'requestId'.length * '\\u0000'.length;

function keyOf(text: Buffer, at: number, end: number): (typeof keys)[number] | undefined {
  const length = end - at - 2;
  if (length < shortestKey || length > longestEscapedKey) return undefined;
  const written = text.toString('latin1', at + 1, end - 1);
  const name = written.includes('\\') ? stringAt(text, at, end) : written;
  return keys.find((key) => key === name);
}

/** The value of a short JSON string, given where it stands with its quotes. '' for any other value. */
function stringAt(text: Buffer, at: number, end: number): string {
  if (text[at] !== quote || end - at > maxTextBytes) return '';
  try {
    return JSON.parse(text.toString('utf8', at, end)) as string;
  } catch {
    return '';
  }
}
