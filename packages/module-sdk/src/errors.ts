/** Thrown by a handler to refuse an operation: the caller gets 422 with `message`, and `code` as its reason. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Something asked of the relay that failed. `code` is the relay's (`frameErrors` of the contract), or one of ours: `not_connected`,
 * `connection_lost`, `timeout`, `not_paired`, `closed`, `invalid_url`, `insecure_url`, `unreachable`,
 * `bad_answer`.
 */
export class RelayError extends Error {
  override readonly name: string = 'RelayError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Pairing failed and nothing was stored; `message` is the relay's detail, fit to be shown. */
export class PairingError extends RelayError {
  override readonly name = 'PairingError';
  /** HTTP status of the relay's answer; absent when there was none. */
  readonly status: number | undefined;
  /** How long the relay asks to wait before the next try. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: string,
    detail: string,
    more: { status?: number; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(code, detail, { cause: more.cause });
    this.status = more.status;
    this.retryAfterMs = more.retryAfterMs;
  }

  get detail(): string {
    return this.message;
  }
}

/** What a thrown value says, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
