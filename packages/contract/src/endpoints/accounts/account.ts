import { Type } from 'typebox';
import type { Static } from 'typebox';
import { email, password } from './credentials.ts';
import type { Endpoints } from '../endpoint.ts';
import { closed, id, nothing, nullable, time } from '../fields.ts';
import { secondFactor } from './second-factor.ts';

const Account = Type.Object(
  {
    id,
    email: Type.String(),
    createdAt: time,
    emailConfirmed: Type.Boolean({ description: 'Whether a mailed link of it was used.' }),
    isAdministrator: Type.Boolean(),
    secondFactor: Type.Enum(['none', 'set', 'missing'], {
      description: '`missing`: an administrator without one, who may only set one up.',
    }),
    rotationRequired: Type.Boolean({
      description: 'API access is blocked until the master key is regenerated.',
    }),
    disabled: Type.Boolean(),
    masterKeyHint: Type.String(),
    masterKeyLastUsedAt: nullable(time),
  },
  { title: 'Account' },
);

export const accountEndpoints = {
  getAccount: {
    method: 'GET',
    path: '/auth/account',
    summary: 'Show your account',
    auth: 'session',
    openToDisabled: true,
    openWithoutFactor: true,
    origin: 'same',
    answer: Account,
  },
  confirmEmail: {
    method: 'POST',
    path: '/auth/confirm-email',
    summary: 'Confirm an e-mail address by a mailed link',
    auth: 'none',
    origin: 'same',
    limit: 'confirmEmail',
    body: closed({
      token: Type.String({
        maxLength: 200,
        description: 'From the mailed link; it works once, for a week.',
      }),
    }),
    answer: nothing,
  },
  sendConfirmation: {
    method: 'POST',
    path: '/auth/confirm-email/send',
    summary: 'Mail a link that confirms your address',
    auth: 'session',
    origin: 'same',
    limit: 'sendConfirmation',
    answer: nothing,
    problems: ['conflict'],
  },
  deleteAccount: {
    method: 'DELETE',
    path: '/auth/account',
    summary: 'Delete your account',
    description:
      'Its worlds and keys are deleted with it, at once and for good. So are its logs; of more than 5,000 rows the rest is erased within minutes.',
    auth: 'session',
    origin: 'same',
    limit: 'deleteAccount',
    body: closed({ password, secondFactor }),
    answer: nothing,
    problems: ['credentials_invalid', 'overloaded'],
  },
  exportAccount: {
    method: 'GET',
    path: '/auth/export',
    summary: 'Export all that is stored of you',
    auth: 'session',
    origin: 'same',
    answer: {
      download: 'tabletop-relay-account.json',
      description: 'The facts, and each log as a list, newest first.',
      schema: Type.Object({}, { additionalProperties: true }),
    },
  },
  regenerateMasterKey: {
    method: 'POST',
    path: '/auth/regenerate-key',
    summary: 'Regenerate the master key',
    description: 'Ends every key, connection token and session of the account. Needs no session.',
    auth: 'none',
    origin: 'same',
    limit: 'regenerateKey',
    body: closed({ email, password, secondFactor }),
    secretAnswer: true,
    answer: Type.Object({ masterKey: Type.String() }),
    problems: ['credentials_invalid', 'second_factor_missing', 'overloaded'],
  },
} as const satisfies Endpoints;

export type Account = Static<typeof Account>;
