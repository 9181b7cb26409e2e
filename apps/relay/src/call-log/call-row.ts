/** Request and answer of a call as the log keeps them. */
export interface KeptBody {
  request: string;
  answer: string;
  /** Missing parts, in words; empty if there are none. */
  requestLacks: string;
  answerLacks: string;
}

/** The ways that a program's call may come. */
export type Via = 'http' | 'mcp' | 'socket';

/** Facts of a call that its route gives. */
export interface CallOutcome {
  accountId: string;
  keyId: string;
  keyName: string;
  clientId: string | null;
  operation: string;
  /** `ok` or the code of the error. */
  outcome: string;
  status: number;
  /** The world's part of the time; null where it was not asked. */
  worldMs: number | null;
  requestId: string;
  ipAddress: string;
  userAgent: string;
  /** Whether it came with the old value of a key that was rolled. */
  oldValue: boolean;
  /** The names of parameters that it was made without, as its answer has them. */
  ignoredParameters: string;
  via: Via;
  /** What an assistant's program calls itself; null where it does not say so, or the call came another way. */
  assistant: string | null;
  /** Whether it was answered as an earlier one under its idempotency key, and nothing was sent. */
  replayed: boolean;
}

/** One call as it waits to be written. */
export interface CallRow extends CallOutcome {
  id: string;
  at: Date;
  relayMs: number;
  standsFor: number;
  instanceId: string;
  body: KeptBody | undefined;
}
