import type { OperationTypes } from '@tabletop-relay/contract/types';

export interface CallOptions {
  /** The world to act on, instead of the one given to `createRelay`. */
  clientId?: string;
  /**
   * Tabletop user id or name to act as; without it the call has GM-level access. One among the parameters counts as well,
   * and the call is not made where the two differ.
   */
  userId?: string;
  /**
   * A text of yours that is new for each command, such as a UUID: under it the relay (0.2.0 and later) carries out one command within an
   * hour, and answers a repeat with what the first one was answered. With `retries` a command has one by itself; give one to repeat it
   * later, or from another process.
   */
  idempotencyKey?: string;
  /** Ends the call, and tells the world that nobody waits for its answer. The promise rejects with the signal's reason. */
  signal?: AbortSignal;
  timeoutMs?: number;
}

export interface EndpointCallOptions {
  headers?: Record<string, string>;
  /** Ends the request. The promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
}

/** A file that a world answered. */
export interface RelayFile {
  bytes: Uint8Array<ArrayBuffer>;
  /** The content type, for example `image/png`; what browsers could run comes as `application/octet-stream`. */
  type: string;
  /** As the world named it; undefined where it gave no name. */
  name: string | undefined;
}

/** Answer of a world to an operation. It may have further fields. */
export type Answer<N extends keyof OperationTypes> = {
  type: `${N}-result`;
  requestId: string;
} & OperationTypes[N]['result'];
