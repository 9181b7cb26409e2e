/** The JSON object that a text is, or undefined. */
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

/** Longer texts are not sent back: an answer must not be larger than what it costs to ask. */
const maxTextLength = 8_192;

/** A short text of a frame as it came; '' for anything else, which may not even have a way to be printed. */
export function textIn(frame: Record<string, unknown>, name: string): string {
  const value = frame[name];
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const text = String(value);
  return text.length <= maxTextLength ? text : '';
}
