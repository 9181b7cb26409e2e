import type { Operation } from '@tabletop-relay/contract';

/** The picture that an answer holds, as an address of its bytes; undefined where it holds none. */
export function pictureIn(body: unknown, bytes: Operation['resultBytes']): string | undefined {
  if (!bytes) return undefined;
  const data = fieldOf(body, bytes.field);
  const type = bytes.contentType === undefined ? undefined : fieldOf(body, bytes.contentType);
  if (typeof data !== 'string') return undefined;
  if (/^data:image\/[\w.+-]+;base64,/.test(data)) return data;
  const isPicture = typeof type === 'string' && /^image\/[\w.+-]+$/.test(type);
  return isPicture && /^[A-Za-z0-9+/]+=*$/.test(data) ? `data:${type};base64,${data}` : undefined;
}

/** The text of an answer, with what stands for its bytes. */
export const withoutBytes = (text: string): string =>
  text.replaceAll(
    /"((?:data:[\w.+/-]+;base64,)?)[A-Za-z0-9+/]{200,}=*"/g,
    (whole, head: string) =>
      `"${head}… ${(whole.length - head.length - 2).toLocaleString('en')} letters of base64"`,
  );

const fieldOf = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], body);
