export type TokenKind = 'name' | 'text' | 'number' | 'word' | 'other';

export interface JsonToken {
  kind: TokenKind;
  text: string;
}

const pattern = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)/g;

/** The pieces of printed JSON, for colouring; together they are the text. */
export function jsonTokens(text: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > end) tokens.push({ kind: 'other', text: text.slice(end, found.index) });
    const [whole, string, colon, number] = found;
    if (string !== undefined) {
      tokens.push({ kind: colon === undefined ? 'text' : 'name', text: string });
      if (colon) tokens.push({ kind: 'other', text: colon });
    } else tokens.push({ kind: number === undefined ? 'word' : 'number', text: whole });
    end = found.index + whole.length;
  }
  if (end < text.length) tokens.push({ kind: 'other', text: text.slice(end) });
  return tokens;
}
