import { hash } from 'node:crypto';

const lineLength = 200;
const longText = 120;

export type Writer = (value: unknown, longest?: number) => string;

/**
 * Writes values down one after the other, without what is undefined. A long part has a mark by its content, and is only
 * that mark where it comes again, or where it is longer than `longest` characters.
 */
export function createWriter(): Writer {
  const seen = new Set<string>();

  const write = (value: unknown, longest = Infinity): string => {
    if (value === null || typeof value !== 'object') return JSON.stringify(value);
    const text = JSON.stringify(value);
    if (text.length <= longText) return partsOf(value, longest);
    const mark = `#${hash('sha256', text).slice(0, 8)}`;
    if (seen.has(mark) || text.length > longest) return mark;
    seen.add(mark);
    return `${mark} ${partsOf(value, longest)}`;
  };

  const partsOf = (value: object, longest: number): string =>
    Array.isArray(value)
      ? around(
          '[',
          value.map((part) => write(part, longest)),
          ']',
        )
      : around('{', fieldsOf(value, longest), '}');

  const fieldsOf = (value: object, longest: number): string[] =>
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => `${name}: ${write(field, longest)}`);

  return write;
}

function around(open: string, parts: string[], close: string): string {
  const line = `${open}${parts.join(', ')}${close}`;
  if (line.length <= lineLength && !line.includes('\n')) return line;
  return [open, ...parts.map((part) => `  ${part.replaceAll('\n', '\n  ')}`), close].join('\n');
}
