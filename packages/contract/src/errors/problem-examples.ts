import { errors } from './errors.ts';
import type { ErrorCode, ErrorEntry } from './errors.ts';
import type { Problem, ProblemFields } from './problem.ts';

/** What one problem of a code may say. Where there is no `detail`, problems of the code say its description. */
interface Example extends Partial<ProblemFields> {
  detail?: string;
  /** The call that met it, where it was one. */
  operation?: 'skill-check';
}

const challenge = {
  methods: ['totp', 'recovery'],
  challenge: 'Zk1xT2pQb0N2U3hIbVhWZA',
  challengeExpiresAt: '2026-01-31T20:05:00.000Z',
};

const call = { operation: 'skill-check' } as const;

const examples: Record<ErrorCode, Example> = {
  invalid_request: {
    ...call,
    detail: 'Not valid: skill must be one of `acr`, `ani`, `arc`; bonsu is unknown (did you mean `bonus`?).',
    errors: [
      { field: 'skill', place: 'body', message: 'must be one of `acr`, `ani`, `arc`' },
      { field: 'bonsu', place: 'body', message: 'is unknown (did you mean `bonus`?)' },
    ],
  },
  client_required: {
    ...call,
    detail:
      '2 worlds are online. Name one with clientId: The Sunken Chapel (01K0ZC2WQ7), Winterfold (01K0ZC8M4R).',
    candidates: [
      { clientId: '01K0ZC2WQ7', worldTitle: 'The Sunken Chapel' },
      { clientId: '01K0ZC8M4R', worldTitle: 'winterfold-test', customName: 'Winterfold' },
    ],
  },
  handshake_invalid: {},
  url_not_allowed: { detail: 'The operator does not allow headless sessions to open 192.168.1.20.' },
  key_missing: {},
  key_invalid: {},
  key_expired: {},
  session_missing: {},
  session_invalid: {},
  credentials_invalid: { detail: 'E-mail or password is wrong.' },
  second_factor_required: { detail: 'Send the same request again with a second factor.', ...challenge },
  second_factor_invalid: { detail: 'The code is wrong or was used before.', ...challenge },
  scope_missing: {
    ...call,
    detail: 'This needs the scope roll:execute.',
    error: 'API key lacks required scope: roll:execute',
    scope: 'roll:execute',
  },
  rotation_required: {},
  second_factor_missing: {},
  account_disabled: {},
  paused: {
    ...call,
    detail:
      'The world 01K0ZC2WQ7 has been paused in the dashboard since 2026-02-01T20:14:05.000Z. Nothing was sent. Lift the pause there.',
    pause: { of: 'world', setIn: 'relay', since: '2026-02-01T20:14:05.000Z' },
  },
  acting_user_fixed: {
    ...call,
    detail:
      'This acts as the user cleo of the world, and as nobody else. Leave userId out. Nothing was sent.',
    actingUserId: 'cleo',
  },
  acting_user_unchecked: {
    ...call,
    detail:
      'The key is bound to a user, and the module of this world does not declare that it checks the user of rolls. Nothing was sent.',
  },
  forbidden: { detail: 'Administrators only.' },
  origin_refused: {},
  registration_closed: {},
  not_found: { detail: 'There is no GET /player here. /docs lists what there is.' },
  client_not_found: { ...call, detail: 'No world 01K0ZC2WQ7 that this key may reach.' },
  client_offline: {
    ...call,
    detail: 'The world 01K0ZC2WQ7 is not connected. Open it in the tabletop.',
    lastSeen: 1_769_889_600_000,
  },
  method_not_allowed: { detail: '/players takes GET, HEAD.' },
  conflict: { detail: 'This e-mail address has an account already.' },
  idempotency_running: { ...call },
  already_done: { ...call },
  outcome_unknown: { ...call },
  code_used: {},
  code_expired: {},
  payload_too_large: { ...call },
  unsupported_media_type: { ...call },
  expectation_failed: {},
  operation_failed: {
    ...call,
    detail: 'There is no actor Actor.nobody.',
    reason: 'entity_not_found',
    success: false,
    requestId: 'skill-check_1769889600000',
  },
  idempotency_key_reused: { ...call },
  rate_limited: { detail: 'This key may make 300 calls a minute; the next one in 12 s.' },
  monthly_limit_reached: { detail: 'This key may make 10000 calls a month; all are spent.' },
  internal: { detail: 'Something went wrong on our side. Please report it with the traceId.' },
  client_bad_reply: { ...call, detail: 'The world’s answer was not JSON.' },
  client_lost: { ...call, detail: 'The world’s connection ended before it answered.' },
  session_failed: {
    detail: 'The tabletop did not take the password.',
    stage: 'login',
    sessionId: '01K0ZD5T9XQ4M8W2VYB7N3HEGA',
  },
  overloaded: { ...call, detail: 'This world has 100 calls in flight. Nothing was sent.' },
  unavailable: { ...call, detail: 'The world is just moving. Repeat the call.' },
  browser_unavailable: {},
  client_timeout: { ...call, detail: 'The world did not answer within 10 s.' },
};

/** A problem document of a code as a relay at this address may answer it. */
export function problemExample(code: ErrorCode, url: string): Problem {
  const { status, title, description, retryable, outcome }: ErrorEntry = errors[code];
  const { detail = description, operation, error = detail, ...fields } = examples[code];
  const told = outcome ?? (status === 422 ? undefined : 'not_sent');
  return {
    type: `${url}/errors/${code}`,
    title,
    status,
    detail,
    code,
    retryable: retryable === true,
    ...(operation && told ? { outcome: told } : {}),
    ...fields,
    traceId: '01K0ZE3F6S2CDR8JQK4T7A9XVB',
    error,
  };
}
