import type { ErrorCode, Problem } from '@tabletop-relay/contract/types';

/**
 * The relay's codes, and those of what may happen before it answers: no connection, no answer in time, an answer
 * that is not the relay's (of a proxy, say), a key request that came to no key.
 */
export type RelayErrorCode =
  | ErrorCode
  | 'connection_failed'
  | 'timeout'
  | 'bad_answer'
  | 'key_request_denied'
  | 'key_request_expired'
  | 'key_request_exchanged';

export interface RelayErrorFields {
  code: RelayErrorCode;
  detail: string;
  status?: number;
  retryable?: boolean;
  outcome?: 'not_sent' | 'unknown' | undefined;
  requestId?: string | undefined;
  traceId?: string | undefined;
  retryAfterMs?: number | undefined;
  problem?: Problem;
  cause?: unknown;
}

/** Why a call failed. `retryable` and `outcome` say whether it may be repeated, and whether it reached the world. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  readonly code: RelayErrorCode;
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** Whether the same call may be repeated as it is. */
  readonly retryable: boolean;
  /** For failed commands: `not_sent` never reached the world, `unknown` may have been carried out. */
  readonly outcome: 'not_sent' | 'unknown' | undefined;
  readonly detail: string;
  /** The operation's id, once it had one. */
  readonly requestId: string | undefined;
  /** The id by which the relay's operator finds the request in the log. */
  readonly traceId: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** The whole answer: `errors`, `candidates`, `scope`, `reason`, `lastSeen` and the like. */
  readonly problem: Problem | undefined;

  constructor(fields: RelayErrorFields) {
    super(`${fields.code}: ${fields.detail}`, { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status ?? 0;
    this.retryable = fields.retryable ?? false;
    this.outcome = fields.outcome;
    this.detail = fields.detail;
    this.requestId = fields.requestId;
    this.traceId = fields.traceId;
    this.retryAfterMs = fields.retryAfterMs;
    this.problem = fields.problem;
  }
}
