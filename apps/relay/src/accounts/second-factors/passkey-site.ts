import { isIP } from 'node:net';

/** The site that passkeys are made for, and work on. */
export interface PasskeySite {
  rpId: string;
  origin: string;
}

/** Browsers offer passkeys on https and on localhost, to hosts with a name. Undefined elsewhere. */
export function passkeySite(publicUrl: string): PasskeySite | undefined {
  const url = URL.parse(publicUrl);
  if (!url) return undefined;
  const { protocol, hostname, origin } = url;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const hasName = isIP(hostname.replaceAll(/[[\]]/g, '')) === 0;
  return isLocal || (protocol === 'https:' && hasName) ? { rpId: hostname, origin } : undefined;
}
