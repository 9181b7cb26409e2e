import { RelayError, messageOf } from '../errors.ts';
import type { World } from '../world.ts';

/** The two faces of one relay, without a slash at the end. */
export interface RelayAddress {
  http: string;
  socket: string;
}

/**
 * Reads a relay's address in any of the forms people paste: http(s) or ws(s), with or without `/relay`.
 * Throws a `RelayError` for other text, and for an unencrypted address of another machine unless
 * `allowInsecure`: the token would be readable on the way.
 */
export function parseRelayUrl(text: string, allowInsecure = false): RelayAddress {
  const url = parse(text);
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  if (!secure && !allowInsecure && !isLocal(url.hostname)) {
    throw new RelayError('insecure_url', `${url.host} is not this machine: use wss:// or https://`);
  }
  const rest = `${url.host}${url.pathname.replace(/\/+$/, '').replace(/\/relay$/, '')}`;
  return {
    http: `${secure ? 'https' : 'http'}://${rest}`,
    socket: `${secure ? 'wss' : 'ws'}://${rest}`,
  };
}

/** The address that a world's socket connects to; it carries no secret. */
export function socketUrl(address: RelayAddress, clientId: string, world: World): string {
  const { serverFingerprint: _, ...metadata } = world;
  const query = new URLSearchParams({ id: clientId });
  for (const [name, value] of Object.entries(metadata)) if (value !== undefined) query.set(name, value);
  return `${address.socket}/relay?${query.toString()}`;
}

function parse(text: string): URL {
  try {
    const url = new URL(text);
    if (/^(https?|wss?):$/.test(url.protocol)) return url;
  } catch (error) {
    throw new RelayError('invalid_url', `${text} is not an address: ${messageOf(error)}`, { cause: error });
  }
  throw new RelayError('invalid_url', `${text} is not an address of a relay: use wss:// or https://`);
}

function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
