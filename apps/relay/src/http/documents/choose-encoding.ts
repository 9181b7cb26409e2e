export type Encoding = 'br' | 'gzip';

/** The first of these encodings that a request takes; undefined: none. */
export function chooseEncoding(
  accepted: string | string[] | undefined,
  offered: readonly Encoding[] = ['br', 'gzip'],
): Encoding | undefined {
  const wanted = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim());
  return offered.find((encoding) => wanted.includes(encoding));
}
