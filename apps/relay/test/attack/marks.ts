/** Matches any of `values` that is long enough not to stand in a text by chance: a pairing code has six. */
export function anyOf(values: Iterable<string>): RegExp {
  const long = [...values].filter((value) => value.length > 6);
  // An empty alternative would match everything.
  return new RegExp(
    long.map((value) => value.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)).join('|') || '(?!)',
    'g',
  );
}
