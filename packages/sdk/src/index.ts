export { createAccountClient } from './account-client.ts';
export type { AccountClient, AccountClientOptions, EndpointCallOptions } from './account-client.ts';
export { createRelay } from './create-relay.ts';
export type { CallOptions, Relay, RelayFile, RelayOptions } from './relay.ts';
export { RelayError } from './relay-error.ts';
export type { RelayErrorCode } from './relay-error.ts';
export { exchangeKey, pollKeyRequest, requestKey } from './key-request.ts';
export type { KeyGrant, KeyRequestOptions, PendingKeyRequest, PollOptions } from './key-request.ts';
