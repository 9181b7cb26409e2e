/** Reads an address as people type it: with or without a scheme. Undefined where it is none. */
export function parseAddress(typed: string): { host: string; page: string; socket: string } | undefined {
  const text = typed.trim();
  const withScheme = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  const url = readUrl(withScheme.replace(/^ws/i, 'http'));
  if (!url || !/^https?:$/.test(url.protocol) || !url.host || url.username) return undefined;
  const page = `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/relay$/, '')}`;
  return { host: url.host, page, socket: page.replace(/^http/, 'ws') };
}

/** The tabletop's own application has a browser that knows no `URL.parse`. */
function readUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
