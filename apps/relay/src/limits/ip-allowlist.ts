import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Addresses and ranges from which a token may connect. Empty: any. */
export interface IpAllowlist {
  /** Comma-separated, as it is stored and shown. */
  text: string;
  allows(address: string): boolean;
}

/** Reads the comma-separated form; answers the first entry that is not an address or CIDR range instead. */
export function parseIpAllowlist(text: string): IpAllowlist | { badEntry: string } {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const ranges: Range[] = [];
  for (const entry of entries) {
    const range = parseRange(entry);
    if (!range) return { badEntry: entry };
    ranges.push(range);
  }
  return {
    text: entries.join(', '),
    allows: (address) => ranges.length === 0 || isWithin(ranges, address),
  };
}

/** An IPv4 address in IPv6 clothing (`::ffff:1.2.3.4`) as plain IPv4; ports and zones are not addresses. */
export function normalizeAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

/** The part of an address that one household has: v4 whole, v6 its /64. */
export function addressBlock(address: string): string {
  return addressPrefixes(address)[0].block;
}

export interface AddressPrefix {
  block: string;
  /** How many times the limit of one address it has. */
  times: number;
}

/**
 * What an address counts under: a v4 address alone; a v6 address under its /64, and under its /48 with four times
 * the limit, because one site commonly holds a /48 and so 65,536 of the former. The narrowest is first.
 */
export function addressPrefixes(address: string): [AddressPrefix, ...AddressPrefix[]] {
  if (!ipaddr.isValid(address)) return [{ block: address, times: 1 }];
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return [{ block: parsed.toString(), times: 1 }];
  const parts = (parsed as ipaddr.IPv6).parts.map((part) => part.toString(16));
  return [
    { block: `${parts.slice(0, 4).join(':')}::/64`, times: 1 },
    { block: `${parts.slice(0, 3).join(':')}::/48`, times: 4 },
  ];
}

function parseRange(entry: string): Range | undefined {
  if (!entry.includes('/')) {
    // ipaddr.js takes "10" and "0x7f.1" for IPv4; people mean four parts.
    if (!isPlain(entry)) return undefined;
    const address = ipaddr.process(entry);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  if (!isPlain(entry.slice(0, entry.indexOf('/'))) || !ipaddr.isValidCIDR(entry)) return undefined;
  const [address, bits] = ipaddr.parseCIDR(entry);
  if (address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96) {
    return [(address as ipaddr.IPv6).toIPv4Address(), bits - 96];
  }
  return [address, bits];
}

const isPlain = (text: string) =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('%'));

function isWithin(ranges: readonly Range[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
}
