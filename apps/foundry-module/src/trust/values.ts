/** What a person can read in a question, in letters: an answer to more than that would be one to something unread. */
export const mostLetters = 100_000;

/** A value with what is no text for people left out: the bytes of files, passwords, and what the relay adds. */
export function valuesOf(parameters: Readonly<Record<string, unknown>>, code: string | undefined): string {
  const { _scopes: _relays, script, ...shown } = parameters;
  // Shown by itself, in full.
  const { data: _data, effectData: _effectData, ...fewer } = shown;
  const given = code !== undefined && script === undefined ? fewer : shown;
  const lines = Object.entries(given).flatMap(([name, value]) => {
    const text = textOf(name, value);
    return text === undefined ? [] : [`${name}: ${text}`];
  });
  return readable(lines.join('\n'));
}

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (name === 'fileData' && typeof value === 'string') return `${value.length} letters of base64`;
  if (name === 'binaryData' && Array.isArray(value)) return `${value.length} bytes`;
  if (typeof value === 'string') return isSecret(name) ? '***' : indented(value);
  return JSON.stringify(value, (key, inner: unknown) => (isSecret(key) ? '***' : inner), 1);
}

/** A line of a text from outside never looks like one that begins with a field's name. */
const indented = (text: string): string => text.replaceAll('\n', '\n  ');

const isSecret = (name: string): boolean => name === 'password';

/** Signs that are not seen, or that turn the direction of what follows, are shown by their numbers. */
export const readable = (text: string): string =>
  Array.from(text)
    .map((sign) => (isUnseen(sign) ? `\\u{${sign.codePointAt(0)!.toString(16)}}` : sign))
    .join('');

const isUnseen = (sign: string): boolean =>
  sign !== '\n' && sign !== '\t' && /[\p{C}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}\u{ffa0}]/u.test(sign);
