import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Addresses and ranges from which a token may connect. An empty list allows every address. */
export interface IpAllowlist {
  /** The entries with commas between them, as they are stored and shown. */
  text: string;
  allows(address: string): boolean;
}

/** Reads entries with commas between them. Returns the first bad entry instead if one is not an address or CIDR range. */
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

/** Parses an address. An IPv4-mapped IPv6 address (`::ffff:1.2.3.4`) becomes IPv4. A port or a zone makes it invalid. */
export function normalizeAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

/** The part of an address that belongs to one customer: a whole IPv4 address, the /64 of an IPv6 address. */
export function addressBlock(address: string): string {
  return addressPrefixes(address)[0].block;
}

export interface AddressPrefix {
  block: string;
  /** The factor by which the limit of one address is multiplied for this prefix. */
  times: number;
}

/**
 * The prefixes under which an address is counted, the narrowest first. An IPv4 address has one. An IPv6 address has its
 * /64, and its /48 with four times the limit, because one site commonly has a /48 with 65,536 prefixes of 64 bits.
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
    // ipaddr.js accepts "10" and "0x7f.1" as IPv4. Only four decimal parts are allowed here.
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
