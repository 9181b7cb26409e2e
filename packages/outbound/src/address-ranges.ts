import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = readonly [Address, number];

/** All that is routed on the internet over IPv6. The rest is unassigned, or means something within one network. */
const internet6: Range = [ipaddr.IPv6.parse('2000::'), 3];
/** A translator (NAT64) sends what goes here to the IPv4 address in the last four bytes. */
const translated: Range = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/**
 * Where clouds hand out the credentials of a machine. No webhook and no world is there, so no allowed range opens them.
 * Azure's is a public address, so that the ranges alone would let it pass.
 */
const metadata = ['169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'].map(
  (text) => ipaddr.parse(text),
);

/** Parses an address as it is connected to. An IPv4-mapped IPv6 address becomes IPv4. Other forms are no address. */
export function parseAddress(text: string): Address | undefined {
  // ipaddr.js also reads "2130706433" and "0x7f.1" as IPv4.
  return isIP(text) === 0 ? undefined : ipaddr.process(text);
}

/** Whether the address is one of the internet. */
export function isPublic(address: Address): boolean {
  if (isMetadata(address)) return false;
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  if (isIn(address, translated)) return isPublic(translatedAddress(address));
  return address.range() === 'unicast' && isIn(address, internet6);
}

/** Whether a cloud's metadata would be reached, directly or through a translator. */
export function isMetadata(address: Address): boolean {
  if (isIn(address, translated)) return isMetadata(translatedAddress(address));
  return metadata.some((one) => one.toString() === address.toString());
}

export function isIn(address: Address, [range, bits]: Range): boolean {
  return range.kind() === address.kind() && address.match(range, bits);
}

/** Reads an address or CIDR range. Refuses /0, because it would take the guard away. */
export function parseRange(text: string): Range | undefined {
  const [base = '', bits, ...rest] = text.split('/');
  const address = parseAddress(base);
  if (!address || base.includes('%') || rest.length > 0) return undefined;
  const whole = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [address, whole];
  const wrapped = isIP(base) === 6 && whole === 32 ? 96 : 0;
  const length = /^\d{1,3}$/.test(bits) ? Number(bits) - wrapped : 0;
  return length >= 1 && length <= whole ? [address, length] : undefined;
}

function translatedAddress(address: Address): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
