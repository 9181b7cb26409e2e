import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from '../endpoint.ts';
import { ActingUsers, actingUserTerms } from '../acting-users.ts';
import { closed, id, keyClients, monthlyLimit, name, nullable, scopeList, time } from '../fields.ts';

/** Anybody may ask, and each request is kept: so it names few worlds. */
const maxSuggestedClients = 50;

const statuses = ['pending', 'approved', 'denied', 'expired', 'exchanged'] as const;

const grantedScopes = Type.Array(Type.String(), {
  description:
    'What was granted. In the web flow it is told as soon as it is approved, to who brings the verifier where there is one.',
});

const grantedClientIds = Type.Array(id, {
  maxItems: 500,
  description: 'The worlds that the key reaches; empty: all of the account.',
});

const grantedUsers = Type.Partial(Type.Object(ActingUsers)).properties;

const KeyRequestStatus = Type.Object(
  {
    status: Type.Enum([...statuses]),
    apiKey: Type.Optional(Type.String({ description: 'Only in the one answer that collects it.' })),
    scopes: Type.Optional(grantedScopes),
    clientIds: Type.Optional(grantedClientIds),
    ...grantedUsers,
  },
  { title: 'KeyRequestStatus' },
);

const KeyRequest = Type.Object(
  {
    appName: Type.String(),
    appDescription: Type.String(),
    appUrl: Type.String(),
    scopes: Type.Array(Type.String()),
    suggestedMonthlyLimit: nullable(Type.Integer()),
    suggestedClientIds: Type.Array(Type.String(), {
      description: 'The worlds that the program names, which need not be worlds of yours; empty: none.',
    }),
    suggestedActingUserIds: nullable(Type.Record(Type.String(), Type.String()), {
      description:
        'The users as whom the program would act, by the ids of these worlds; null: it names none.',
    }),
    suggestedExpiry: nullable(time, { description: 'When the key shall end, as the program suggests.' }),
    callbackHost: nullable(
      Type.String({ description: 'Where the web flow leads; null in the device flow.' }),
    ),
    requestedFrom: Type.String({ description: 'The address that asked.' }),
    status: Type.Enum([...statuses]),
    createdAt: time,
    expiresAt: time,
  },
  { title: 'KeyRequest' },
);

const KeyRequestDecision = Type.Object(
  {
    status: Type.Enum(['approved', 'denied']),
    redirectUrl: Type.Optional(Type.String({ description: 'Where the web flow goes on.' })),
  },
  { title: 'KeyRequestDecision' },
);

const verifier = Type.Object({
  'x-poll-verifier': Type.Optional(
    Type.String({
      description:
        'The text whose SHA-256 was sent as `pollChallenge`. Where one was sent, the key is given to nobody without it: the status is then told and nothing is used up.',
    }),
  ),
});

/** Integrations call the first three without a session; the approval page calls the others. */
export const keyRequestEndpoints = {
  createKeyRequest: {
    method: 'POST',
    path: '/auth/key-request',
    summary: 'Ask for a key',
    auth: 'none',
    origin: 'any',
    limit: 'keyRequestCreate',
    body: closed({
      appName: name,
      appDescription: Type.Optional(Type.String({ maxLength: 1000 })),
      appUrl: Type.Optional(Type.String({ maxLength: 2000, description: 'An http or https address.' })),
      scopes: scopeList,
      suggestedMonthlyLimit: Type.Optional(monthlyLimit),
      clientIds: Type.Optional(
        Type.Array(id, {
          maxItems: maxSuggestedClients,
          description: 'The worlds that the key shall reach. A suggestion to who approves; empty: none.',
        }),
      ),
      ...actingUserTerms,
      suggestedExpiry: Type.Optional(
        nullable(time, { description: 'When the key shall end. A suggestion to who approves.' }),
      ),
      callbackUrl: Type.Optional(
        Type.String({
          maxLength: 2000,
          description: 'An https address, or http on the machine itself; without user and fragment.',
        }),
      ),
      pollChallenge: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z0-9_-]{43}$',
          description:
            'Base64url of the SHA-256 of a random text of yours. `x-poll-verifier` must then bring the text, so that nobody who saw the approval link gets the key.',
        }),
      ),
    }),
    secretAnswer: true,
    answer: Type.Object({
      code: Type.String(),
      approvalUrl: Type.String(),
      expiresIn: Type.Integer({ description: 'Seconds.' }),
      expiresAt: time,
    }),
    problems: ['overloaded'],
  },
  pollKeyRequest: {
    method: 'GET',
    path: '/auth/key-request/:code/status',
    summary: 'Poll a key request',
    description:
      'One poll per two seconds. The answer that carries the key comes once. A 409 says that the account has no room for the key: nothing is used up, and a later poll collects it.',
    auth: 'none',
    origin: 'any',
    limit: 'keyRequestStatus',
    headers: verifier,
    secretAnswer: true,
    answer: KeyRequestStatus,
    problems: ['conflict'],
    noHead: true,
  },
  exchangeKeyRequest: {
    method: 'POST',
    path: '/auth/key-request/exchange',
    summary: 'Exchange the code of the web flow for the key',
    description: 'Works once, within 60 seconds. A second use revokes the key.',
    auth: 'none',
    origin: 'any',
    limit: 'keyRequestExchange',
    headers: verifier,
    body: closed({ code: Type.String({ maxLength: 64 }) }),
    secretAnswer: true,
    answer: Type.Object({
      apiKey: Type.String(),
      scopes: grantedScopes,
      clientIds: grantedClientIds,
      ...grantedUsers,
    }),
    problems: [
      'not_found',
      'forbidden',
      'conflict',
      'code_used',
      'code_expired',
      'rotation_required',
      'account_disabled',
    ],
  },
  getKeyRequest: {
    method: 'GET',
    path: '/auth/key-request/:code',
    summary: 'Show a key request',
    auth: 'session',
    origin: 'same',
    answer: KeyRequest,
  },
  approveKeyRequest: {
    method: 'POST',
    path: '/auth/key-request/:code/approve',
    summary: 'Approve a key request',
    description:
      'Can narrow the scopes that were asked for, never widen them. What the program suggests holds where the field is left out.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: closed({
      scopes: Type.Optional(scopeList),
      clientIds: Type.Optional(keyClients),
      ...actingUserTerms,
      monthlyLimit: Type.Optional(nullable(monthlyLimit)),
      expiresAt: Type.Optional(nullable(time)),
    }),
    secretAnswer: true,
    answer: KeyRequestDecision,
    problems: ['client_not_found', 'conflict', 'code_used', 'code_expired', 'rotation_required'],
  },
  denyKeyRequest: {
    method: 'POST',
    path: '/auth/key-request/:code/deny',
    summary: 'Deny a key request',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    answer: KeyRequestDecision,
    problems: ['code_used', 'code_expired', 'rotation_required'],
  },
} as const satisfies Endpoints;

export type KeyRequest = Static<typeof KeyRequest>;
export type KeyRequestStatus = Static<typeof KeyRequestStatus>;
export type KeyRequestDecision = Static<typeof KeyRequestDecision>;
