/** Names the parameters that stood for nothing in a call. */
export const ignoredHeader = 'x-ignored-parameters';

const maxNames = 20;
const maxBytes = 512;

/** The names as the header has them, percent-encoded, as many as fit; empty where there are none. */
export function ignoredNames(names: readonly string[]): string {
  let value = '';
  for (const name of names.slice(0, maxNames)) {
    const longer = value + (value && ', ') + encodeURIComponent(name.slice(0, maxBytes).toWellFormed());
    if (longer.length > maxBytes) break;
    value = longer;
  }
  return value;
}

/** The header; none where there are no names. */
export function ignoredParameters(names: readonly string[]): Record<string, string> {
  const value = ignoredNames(names);
  return value === '' ? {} : { [ignoredHeader]: value };
}
