/**
 * The page of a demo world in this browser, with the pairing form filled in. Undefined where the relay has none to offer: a page on the
 * relay's own machine is of no use to who looks from another one.
 */
export function demoWorldAddress({
  demoWorld,
  here,
  relay,
  code,
}: {
  /** Address from the relay. */
  demoWorld: string | null | undefined;
  /** The dashboard's own address. */
  here: URL;
  relay: string;
  code: string;
}): string | undefined {
  const page = URL.parse(demoWorld ?? '');
  if (!page || !/^https?:$/.test(page.protocol)) return undefined;
  if (isLoopback(page.hostname) && !isLoopback(here.hostname)) return undefined;
  const query = new URLSearchParams({ relay, code });
  page.search = `own&${query.toString()}`;
  return page.href;
}

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
