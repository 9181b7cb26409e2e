/** Parses a JSON object; undefined where the text is anything else. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Longer texts are not repeated in an answer, which must not cost more than the frame that caused it. */
const maxTextLength = 8_192;

/** A short text or number of a frame as text; '' for any other value. */
export function textIn(frame: Record<string, unknown>, name: string): string {
  const value = frame[name];
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const text = String(value);
  return text.length <= maxTextLength ? text : '';
}
