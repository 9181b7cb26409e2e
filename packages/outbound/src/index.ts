export { createAddressGuard, pinTo } from './address-guard.ts';
export type { AddressGuard, AddressGuardOptions, CheckedHost } from './address-guard.ts';
export type { LookupAll } from './found-address.ts';
export { OutboundError } from './outbound-error.ts';
export type { OutboundFailure } from './outbound-error.ts';
export { checkOutbound, outboundSettings } from './outbound-settings.ts';
export { getGuarded, postGuarded } from './post-guarded.ts';
export type { GuardedAnswer, GuardedGet, GuardedPost } from './post-guarded.ts';
