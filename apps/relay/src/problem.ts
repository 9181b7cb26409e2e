import { errors } from '@tabletop-relay/contract';
import type {
  ErrorCode,
  ErrorEntry,
  FieldError,
  OAuthErrorCode,
  Operation,
  Problem,
  ProblemFields,
} from '@tabletop-relay/contract';

/** Whose credential was refused. The credential itself is never kept. */
export interface RefusedCaller {
  keyId?: string;
  keyName?: string;
  accountId: string;
  /** It was the old value of a key that was rolled. */
  isOldValue?: boolean;
}

interface ProblemExtra extends Partial<ProblemFields> {
  /** Response headers, for example `allow`. */
  headers?: Record<string, string>;
  /** Sent as `Retry-After`; every 503 and 429 has one. */
  retryAfterS?: number;
  /** The private cause: logged, never sent. */
  cause?: unknown;
  /** Logged, never sent. */
  caller?: RefusedCaller;
  /** What it is called where OAuth's standards say how failures look. */
  oauth?: OAuthErrorCode;
}

/**
 * A failure that the caller is told of. `detail` says what happened and what to do, in public words. It has no stack: a
 * refusal is no fault, nobody reads where it was made, and taking a stack costs more than all else of a 404. What
 * nobody foresaw keeps its stack, for it is the `cause`.
 */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;
  readonly fields: Partial<ProblemFields>;
  readonly caller: RefusedCaller | undefined;
  readonly oauth: OAuthErrorCode | undefined;
  /** How many milliseconds the world took until this failure; undefined where it was not asked. Logged, never sent. */
  worldMs: number | undefined;

  constructor(code: ErrorCode, detail?: string, extra: ProblemExtra = {}) {
    const { headers = {}, retryAfterS, cause, caller, oauth, ...fields } = extra;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail ?? errors[code].description, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.fields = fields;
    this.caller = caller;
    this.oauth = oauth;
    const waitS = retryAfterS ?? defaultRetryAfterS(code);
    this.headers = waitS === undefined ? headers : { 'retry-after': String(Math.ceil(waitS)), ...headers };
  }

  get status(): number {
    return errors[this.code].status;
  }
}

/** The code of any failure: what nobody foresaw is `internal`. */
export const codeOf = (error: unknown): ErrorCode =>
  error instanceof ProblemError ? error.code : 'internal';

/** Any failure as the problem that its caller is told. `detail` is for what nobody foresaw. */
export const asProblem = (error: unknown, detail?: string): ProblemError =>
  error instanceof ProblemError ? error : new ProblemError('internal', detail, { cause: error });

function defaultRetryAfterS(code: ErrorCode): number | undefined {
  const { status } = errors[code];
  return status === 503 || status === 429 ? 1 : undefined;
}

/** What a caller of an operation may conclude from its failure: whether to repeat it, and whether it was sent. */
export function judgeCall(
  code: ErrorCode,
  kind: 'query' | 'command' | undefined,
): Pick<Problem, 'retryable' | 'outcome'> {
  const { status, outcome, retryable, isKnown }: ErrorEntry = errors[code];
  const mayRepeat = retryable === 'queries' ? kind === 'query' : retryable;
  if (outcome) return { retryable: mayRepeat, outcome };
  if (isKnown) return { retryable: mayRepeat };
  // A call that is refused early was not sent; after a fault of ours nobody knows.
  return { retryable: mayRepeat, outcome: status < 500 ? 'not_sent' : 'unknown' };
}

/** The RFC 9457 document for a failure. */
export function problemDocument(
  error: ProblemError,
  context: { publicUrl: string; traceId: string; relayed: Pick<Operation, 'kind'> | undefined },
): Problem {
  const { status, title } = errors[error.code];
  const { retryable, outcome } = judgeCall(error.code, context.relayed?.kind);
  return {
    type: `${context.publicUrl}/errors/${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    retryable,
    traceId: context.traceId,
    error: error.message,
    ...(context.relayed && outcome ? { outcome } : {}),
    ...(error.code === 'operation_failed' ? { success: false } : {}),
    ...error.fields,
  };
}

/** 400 with one entry for each field that is wrong. `error`: other words than those of the detail. */
export function invalidFields(
  fields: readonly FieldError[],
  more: Pick<ProblemExtra, 'error'> = {},
): ProblemError {
  const detail = fields.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new ProblemError('invalid_request', `Not valid: ${detail}.`, { errors: [...fields], ...more });
}

/** Makes `invalid_request` of the reason why one field is wrong. */
export const invalidField =
  (field: string) =>
  (reason: string): ProblemError =>
    invalidFields([{ field, message: reason }]);
