import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { isIn, isMetadata, isPublic, parseAddress, parseRange } from './address-ranges.ts';
import type { Range } from './address-ranges.ts';
import type { FoundAddress, LookupAll } from './found-address.ts';
import { lookUp } from './lookup.ts';
import { orAborted } from './or-aborted.ts';
import { OutboundError } from './outbound-error.ts';

/** A host whose addresses were checked. A connection must go to one of these: the name may lead elsewhere by now. */
export interface CheckedHost {
  /** Name or address, without the brackets of IPv6. */
  host: string;
  /** In the resolver's order; never empty. */
  addresses: readonly [FoundAddress, ...FoundAddress[]];
  /** Whether the operator named the ranges of all these addresses. False: they are public. */
  isAllowedRange: boolean;
}

/** Keeps requests that users cause away from addresses that are not the internet's. */
export interface AddressGuard {
  /** Whether a connection may go to this address. Anything but a written-out IPv4 or IPv6 address is refused. */
  permits(address: string): boolean;
  /**
   * Resolves a host, or the address in its place, and checks every address it has. Throws `OutboundError`: a name with one
   * address that is not permitted is refused as a whole, because nobody says which one a connection would take.
   */
  resolve(host: string, signal?: AbortSignal): Promise<CheckedHost>;
}

export interface AddressGuardOptions {
  /** Private ranges that may be reached: OUTBOUND_ALLOW. */
  allow: readonly string[];
  /** By default the hosts file, the servers of names and the operating system, in this order. */
  lookup?: LookupAll;
}

export function createAddressGuard({ allow, lookup = lookUp }: AddressGuardOptions): AddressGuard {
  const ranges = allow.map(parseRange).filter((range): range is Range => range !== undefined);

  function isAllowedRange(text: string): boolean {
    const address = parseAddress(text);
    return address !== undefined && !isMetadata(address) && ranges.some((range) => isIn(address, range));
  }

  function permits(text: string): boolean {
    const address = parseAddress(text);
    return address !== undefined && (isPublic(address) || isAllowedRange(text));
  }

  return {
    permits,
    async resolve(host, signal) {
      const name = host.replace(/^\[(.*)\]$/, '$1');
      const family = isIP(name);
      const found = family === 0 ? await find(lookup, name, signal) : [{ address: name, family }];
      const [first, ...others] = found;
      if (!first) throw new OutboundError('host_not_found', `${name} has no address`);
      if (!found.every(({ address }) => permits(address))) {
        throw new OutboundError('address_refused', `${name} leads to an address that is not public`);
      }
      return {
        host: name,
        addresses: [first, ...others],
        isAllowedRange: found.every(({ address }) => isAllowedRange(address)),
      };
    },
  };
}

/**
 * The `lookup` of `net.connect`, `tls.connect` and `http.request` that knows only the checked addresses. Node does not
 * call it for a host that is an address already, and that address was checked too.
 */
export function pinTo({ addresses }: CheckedHost): LookupFunction {
  return (_host, { all }, callback) => {
    const [{ address, family }] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, address, family);
  };
}

/** A look-up may be of the kind that cannot be called off: its late answer is left alone. */
async function find(lookup: LookupAll, name: string, signal?: AbortSignal): Promise<FoundAddress[]> {
  signal?.throwIfAborted();
  const answer = lookup(name, signal).catch((cause: unknown) => {
    throw new OutboundError('host_not_found', `${name} was not found`, { cause });
  });
  return await orAborted(answer, signal);
}
