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
 * `bad_answer`, `payload_too_large`, `denied`, `aborted`.
 */
export class RelayError extends Error {
  override readonly name: string = 'RelayError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A frame that the relay would drop for its size. Nothing was sent. */
export class FrameTooLarge extends RelayError {
  override readonly name = 'FrameTooLarge';

  constructor(maxBytes: number) {
    const most = maxBytes / (1024 * 1024);
    const size = Number.isInteger(most) ? `${most} MiB` : `${maxBytes} bytes`;
    super('payload_too_large', `It is larger than ${size}, which is the most that the relay takes`);
  }
}

/**
 * Another world was asked and gave no result. `code` is one of the errors of the relay's HTTP API, such as `client_offline` or
 * `scope_missing`.
 */
export class RemoteRequestError extends RelayError {
  override readonly name = 'RemoteRequestError';
  /** `not_sent`: it never reached the other world. `unknown`: that world may have carried it out. Absent: it refused. */
  readonly outcome: 'not_sent' | 'unknown' | undefined;
  /** Whether the same request may be repeated. */
  readonly retryable: boolean;
  /** How long to wait before that, where the relay says. */
  readonly retryAfterMs: number | undefined;
  /** The other world's own code, where it refused (`code` is `operation_failed`). */
  readonly reason: string | undefined;

  /** @param response the relay's `remote-response` frame */
  constructor(response: Record<string, unknown>) {
    const text = (name: string) => {
      const value = response[name];
      return typeof value === 'string' ? value : undefined;
    };
    super(text('code') ?? 'operation_failed', text('error') ?? 'The other world refused');
    this.outcome = text('outcome') as typeof this.outcome;
    this.retryable = response['retryable'] === true;
    this.retryAfterMs = Number(response['retryAfterMs']) || undefined;
    this.reason = text('reason');
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

/** Message of a thrown value, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
