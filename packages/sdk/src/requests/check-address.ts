/** Throws a `TypeError` for what is no address of a relay: here the fault is seen, where each call could only fail to connect. */
export function checkAddress(url: string): void {
  const address = read(url);
  const isHttp = address !== undefined && /^https?:$/.test(address.protocol);
  if (isHttp && address.search === '' && address.hash === '' && address.username === '') return;
  throw new TypeError(
    `${JSON.stringify(url)} is no address of a relay: it begins with https:// or http:// and has no query, such as https://relay.example`,
  );
}

function read(url: string): URL | undefined {
  if (URL.canParse(url)) return new URL(url);
  // On a page of the relay its address may be a path.
  const { origin } = (globalThis as { location?: { origin: string } }).location ?? {};
  return URL.canParse(url, origin) ? new URL(url, origin) : undefined;
}
