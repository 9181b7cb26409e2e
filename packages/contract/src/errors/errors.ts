// oxlint-disable max-lines -- It is one list, the catalogue of errors.
/** One kind of failure as callers see it. `outcome` says whether a failed command reached the world. */
export interface ErrorEntry {
  status: number;
  title: string;
  /** What happened and what to do, for the published reference. */
  description: string;
  /** Whether the same call may be repeated; `'queries'`: only where it reads. */
  retryable: boolean | 'queries';
  outcome?: 'not_sent' | 'unknown';
  /** It is known what became of the command: nothing is said of its outcome. */
  isKnown?: true;
}

const temporary = { retryable: true, outcome: 'not_sent' } as const;
const lost = { retryable: 'queries', outcome: 'unknown' } as const;

/** The one catalogue of errors; the pages at `/errors/<code>` and the reference are generated from it. */
export const errors = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    retryable: false,
    description:
      'A parameter is missing, in the wrong place or of the wrong type, or its name is unknown and the call would do more without it. `errors` names each field and says what is expected.',
  },
  client_required: {
    status: 400,
    title: 'Say which world',
    retryable: false,
    description:
      'The key may reach several worlds, or none is online. Add `clientId`; `candidates` has the id and the title of the worlds that are online now.',
  },
  handshake_invalid: {
    status: 400,
    title: 'The handshake is not valid',
    retryable: false,
    description:
      'The handshake token is unknown, used or expired, or the password was not encrypted with its key. Start again with `POST /session-handshake`.',
  },
  url_not_allowed: {
    status: 400,
    title: 'The tabletop address is not allowed',
    retryable: false,
    description: 'The operator does not allow headless sessions to open this address.',
  },
  key_missing: {
    status: 401,
    title: 'An API key is needed',
    retryable: false,
    description:
      'Send the key in the `x-api-key` header. Keys are made in the dashboard or by a key request.',
  },
  key_invalid: {
    status: 401,
    title: 'The API key is not valid',
    retryable: false,
    description:
      'It is malformed, unknown or revoked. Check that it was copied whole; otherwise make a new one.',
  },
  key_expired: {
    status: 401,
    title: 'The API key has expired',
    retryable: false,
    description: 'Its expiry date is past. Make a new key, or move the date in the dashboard.',
  },
  session_missing: {
    status: 401,
    title: 'Sign in first',
    retryable: false,
    description:
      'Account endpoints take a dashboard session: the cookie, or `Authorization: Bearer trs_...`.',
  },
  session_invalid: {
    status: 401,
    title: 'The session is not valid',
    retryable: false,
    description: 'It ended, was revoked or has expired. Sign in again.',
  },
  credentials_invalid: {
    status: 401,
    title: 'E-mail or password is wrong',
    retryable: false,
    description: 'The two do not belong together. Whether the address is known is never told.',
  },
  second_factor_required: {
    status: 401,
    title: 'A second factor is needed',
    retryable: false,
    description:
      'The password is right, and the account has a second factor. Send the same request again with `secondFactor` in its body: one of `methods`, and the `challenge`, which works once, for five minutes.',
  },
  second_factor_invalid: {
    status: 401,
    title: 'The second factor is wrong',
    retryable: false,
    description:
      'The code or passkey is wrong or was used before, or the challenge is used or expired. The answer brings a new challenge; a few wrong answers in an hour are heard.',
  },
  scope_missing: {
    status: 403,
    title: 'The key lacks a scope',
    retryable: false,
    description:
      '`scope` names the one that is needed. Add it to the key in the dashboard, or ask for it in a new key request.',
  },
  rotation_required: {
    status: 403,
    title: 'The master key must be regenerated',
    retryable: false,
    description: 'API access is blocked until the account’s owner signs in and regenerates the master key.',
  },
  second_factor_missing: {
    status: 403,
    title: 'Set up a second factor first',
    retryable: false,
    description:
      'Administrators need a second factor. Until you have one you may only set one up, read your account and sign out.',
  },
  account_disabled: {
    status: 403,
    title: 'The account is disabled',
    retryable: false,
    description: 'An administrator has disabled it. Ask the operator of this relay.',
  },
  paused: {
    status: 403,
    title: 'Paused',
    retryable: false,
    outcome: 'not_sent',
    description:
      'The key or the world is paused. `pause` says which of them, since when, and whether in the relay or in the tabletop: who paused it lifts it there. Nothing was sent. Do not repeat the call by itself.',
  },
  acting_user_fixed: {
    status: 403,
    title: 'The key acts as another user',
    retryable: false,
    outcome: 'not_sent',
    description:
      'The key, or the browser that asked, is bound to a user of the world and acts as nobody else: `actingUserId` says as whom. Leave `userId` out, or send that id. Nothing was sent.',
  },
  acting_user_unchecked: {
    status: 403,
    title: 'The world does not check the user here',
    retryable: false,
    outcome: 'not_sent',
    description:
      'The key is bound to a user, and the module of this world does not declare that it keeps from that user what is not theirs: in this operation, or in the events of this channel. Use another one, or a key that is bound to nobody. Nothing was sent.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    retryable: false,
    description: 'You are signed in, but may not do this.',
  },
  origin_refused: {
    status: 403,
    title: 'The request came from another site',
    retryable: false,
    description:
      'Account endpoints accept changes from the dashboard’s own origin only. Programs use `Authorization: Bearer`.',
  },
  registration_closed: {
    status: 403,
    title: 'Registration is closed',
    retryable: false,
    description: 'The operator of this relay does not take new accounts.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    retryable: false,
    outcome: 'not_sent',
    description: 'There is no such path, or no such thing of yours by that id or code.',
  },
  client_not_found: {
    status: 404,
    title: 'No such world',
    retryable: false,
    outcome: 'not_sent',
    description: 'No world by that `clientId` that this key may reach. `GET /clients` lists those it may.',
  },
  client_offline: {
    status: 404,
    title: 'The world is offline',
    retryable: false,
    outcome: 'not_sent',
    description:
      'Nothing was sent. `lastSeen` tells when it was last connected; open it in the tabletop and repeat the call.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Another method is needed',
    retryable: false,
    description: 'The path exists; the `Allow` header says which methods it takes.',
  },
  conflict: {
    status: 409,
    title: 'In conflict with what is there',
    retryable: false,
    description: 'For example an e-mail address that is taken, or a code that belongs to another world.',
  },
  idempotency_running: {
    status: 409,
    title: 'The command is still running',
    retryable: true,
    outcome: 'not_sent',
    description:
      'A command with this `Idempotency-Key` was sent and has not ended. This repeat was not sent. Repeat after `Retry-After`: then you get the first answer.',
  },
  already_done: {
    status: 409,
    title: 'The command was carried out before',
    retryable: false,
    isKnown: true,
    description:
      'A command with this `Idempotency-Key` was carried out, and this repeat was not sent. Its answer is not kept: it has more than 64 KiB or holds a secret, or the account has too many of them. Read what you need from the world.',
  },
  outcome_unknown: {
    status: 409,
    title: 'Nobody knows what became of the command',
    retryable: false,
    outcome: 'unknown',
    description:
      'A command with this `Idempotency-Key` was sent and its answer never came. This repeat was not sent, for it might be carried out twice. Where `retryable` is true, the module remembers and is away: repeat when it is back. Else look at the world; then repeat with a new key, if at all.',
  },
  code_used: {
    status: 410,
    title: 'The code was used already',
    retryable: false,
    description: 'Codes work once. Ask for a new one.',
  },
  code_expired: {
    status: 410,
    title: 'The code has expired',
    retryable: false,
    description: 'Codes live for ten minutes at most. Ask for a new one.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    retryable: false,
    outcome: 'not_sent',
    description:
      'Bodies of calls may have 8 MiB, unless the reference of the operation says otherwise or the operator set another limit.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body must be JSON',
    retryable: false,
    description: 'Send `Content-Type: application/json`.',
  },
  expectation_failed: {
    status: 417,
    title: 'The expectation cannot be met',
    retryable: false,
    description: 'The header `Expect` may say `100-continue` and nothing else. Leave it out.',
  },
  operation_failed: {
    status: 422,
    title: 'The world refused',
    retryable: false,
    isKnown: true,
    description:
      'The world answered with an error: `detail` is its text and `reason` its code, where it sent one.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key is another command’s',
    retryable: false,
    outcome: 'not_sent',
    description:
      'The `Idempotency-Key` came within the last hour with another operation, user or parameters. Nothing was sent. Take a new key for each command.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    ...temporary,
    description: 'Wait as long as `Retry-After` says. The `RateLimit` headers show what is left.',
  },
  monthly_limit_reached: {
    status: 429,
    title: 'The key’s monthly limit is reached',
    ...temporary,
    description:
      'The limit counts per calendar month (UTC). Raise it in the dashboard, or wait for the month to end.',
  },
  internal: {
    status: 500,
    title: 'A fault of ours',
    retryable: false,
    description: 'Please report it with the `traceId`.',
  },
  client_bad_reply: {
    status: 502,
    title: 'The world’s answer made no sense',
    ...lost,
    description:
      'It was not JSON, answered something else, or is too large: `detail` says which. The command may have been carried out.',
  },
  client_lost: {
    status: 502,
    title: 'The world went away',
    ...lost,
    description: 'Its connection ended while the answer was awaited. The command may have been carried out.',
  },
  session_failed: {
    status: 502,
    title: 'The headless session did not start',
    retryable: false,
    description:
      'The tabletop was opened and did not let the browser in, or did not go on. `stage` says how far it came and `sessionId` which session it was: the dashboard shows for a day what the page showed.',
  },
  overloaded: {
    status: 503,
    title: 'Too busy',
    ...temporary,
    description: 'Nothing was sent. Repeat after `Retry-After`.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    ...temporary,
    description: 'A part of the relay is away or moving. Nothing was sent. Repeat after `Retry-After`.',
  },
  browser_unavailable: {
    status: 503,
    title: 'No browser is free',
    ...temporary,
    description:
      'All headless browsers are busy, none runs, or their host has found no Chromium; `detail` says which. Repeat after `Retry-After`.',
  },
  client_timeout: {
    status: 504,
    title: 'The world did not answer in time',
    ...lost,
    description:
      'The command was sent and may have been carried out. A browser tab in the background can be slow.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errors;
