export { createAccountClient } from './account-client.ts';
export type { AccountClient, AccountClientOptions } from './account-client.ts';
export type { CallOptions, EndpointCallOptions, RelayFile } from './call.ts';
export { encryptPassword } from './sessions/encrypt-password.ts';
export type { SessionKey } from './sessions/encrypt-password.ts';
export { createRelay } from './create-relay.ts';
export { createEventStreams } from './events/event-streams.ts';
export type { EventStreams, EventStreamsOptions, Follow, FollowOptions } from './events/event-streams.ts';
export type { StreamTicket } from './events/stream-ticket.ts';
export type { RelayEvent, StreamEvent, WorldEvent } from './events/stream-event.ts';
export type { Relay, RelayOptions } from './relay.ts';
export type { ConnectOptions, RelaySocket } from './socket/connect.ts';
export type { SocketLike } from './socket/socket-line.ts';
export type { Sessions, SessionStart } from './sessions/sessions.ts';
export { RelayError } from './requests/relay-error.ts';
export type { RelayErrorCode } from './requests/relay-error.ts';
export { exchangeKey, pollKeyRequest, requestKey } from './key-request.ts';
export type { KeyGrant, KeyRequestOptions, PendingKeyRequest, PollOptions } from './key-request.ts';
export type { OperationRow, OperationTable } from './operation-table.ts';
export type {
  CallerFrameTypes,
  CallerRelayFrameTypes,
  Channel,
  ClientList,
  ClientRecord,
  EndpointTypes,
  ErrorCode,
  OperationTypes,
  Problem,
  Scope,
} from '@tabletop-relay/contract/types';
