import { Type } from 'typebox';
import { parseRange } from './address-ranges.ts';

/** What a process may reach of private networks on behalf of users. */
export const outboundSettings = {
  outboundAllow: Type.Array(Type.String(), {
    default: [],
    description:
      'CIDR ranges of private networks that webhooks and headless worlds may reach. Public addresses need no entry; those of cloud metadata stay closed.',
  }),
};

/** Returns the problems of these settings. */
export function checkOutbound({ outboundAllow }: { outboundAllow: readonly string[] }): string[] {
  const bad = outboundAllow.find((entry) => !parseRange(entry));
  if (bad === undefined) return [];
  return [`OUTBOUND_ALLOW must be addresses or CIDR ranges, /1 and longer, not ${JSON.stringify(bad)}`];
}
