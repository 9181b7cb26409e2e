const maxNames = 20;
const maxBytes = 512;

/** The header that names the parameters which stood for nothing in a call, as many as fit; none where there are none. */
export function ignoredParameters(names: readonly string[]): Record<string, string> {
  let value = '';
  for (const name of names.slice(0, maxNames)) {
    const longer = value + (value && ', ') + encodeURIComponent(name.toWellFormed());
    if (longer.length > maxBytes) break;
    value = longer;
  }
  return value === '' ? {} : { 'x-ignored-parameters': value };
}
