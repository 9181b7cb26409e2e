import { OutboundError, pinTo } from '@tabletop-relay/outbound';
import type { AddressGuard } from '@tabletop-relay/outbound';
import type { LookupFunction } from 'node:net';

/** Decides, at every connection, where the page of one session may go. */
export interface AddressCheck {
  /** The look-up to connect with: it knows the checked addresses alone. Throws `OutboundError`. */
  check(host: string, port: number): Promise<{ lookup?: LookupFunction }>;
  /** Lets this host and port through, wherever they lead. */
  allow(hostAndPort: string): void;
  /** Why connections were refused, the last ones; for the account. */
  refusals(): readonly string[];
}

const resolveWithinMs = 10_000;
const maxRefusals = 5;

export function createAddressCheck(guard: AddressGuard): AddressCheck {
  const allowed = new Set<string>();
  const refusals: string[] = [];

  function note(reason: string): void {
    if (!refusals.includes(reason)) refusals.push(reason);
    if (refusals.length > maxRefusals) refusals.shift();
  }

  return {
    async check(host, port) {
      if (allowed.has(`${host}:${port}`)) return {};
      try {
        return { lookup: pinTo(await guard.resolve(host, AbortSignal.timeout(resolveWithinMs))) };
      } catch (error) {
        note(error instanceof OutboundError ? error.message : `${host} was not found in time`);
        throw error;
      }
    },
    allow: (hostAndPort) => void allowed.add(hostAndPort),
    refusals: () => refusals,
  };
}
