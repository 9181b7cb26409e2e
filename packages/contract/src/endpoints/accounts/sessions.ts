import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from '../endpoint.ts';
import { closed, id, nothing, pageOf, pageQuery, time } from '../fields.ts';
import { password } from './credentials.ts';
import { secondFactor } from './second-factor.ts';

const fields = {
  id,
  createdAt: time,
  /** To the minute. */
  lastUsedAt: time,
  expiresAt: Type.String({
    format: 'date-time',
    description: 'The session ends then, however much it is used.',
  }),
  idleExpiresAt: Type.String({
    format: 'date-time',
    description: 'It ends then if it is not used before.',
  }),
  userAgent: Type.String(),
  device: Type.String({ description: 'The user agent in words, for example "Firefox on Linux".' }),
  ipAddress: Type.String(),
};

/** A session as an administrator sees it. */
export const AccountSession = Type.Object(fields, { title: 'AdminSession' });

const Session = Type.Object({ ...fields, current: Type.Boolean() }, { title: 'AccountSession' });

export const sessionEndpoints = {
  listSessions: {
    method: 'GET',
    path: '/auth/sessions',
    summary: 'List the sessions of your account',
    auth: 'session',
    origin: 'same',
    query: pageQuery,
    answer: pageOf(Session),
  },
  endSession: {
    method: 'DELETE',
    path: '/auth/sessions/:id',
    summary: 'End a session',
    description:
      'Asks for the password, so that who came by one session cannot end the others. Signing out needs none.',
    auth: 'session',
    origin: 'same',
    limit: 'endSession',
    body: closed({ password, secondFactor }),
    answer: nothing,
    problems: ['credentials_invalid', 'overloaded'],
  },
} as const satisfies Endpoints;

export type AccountSession = Static<typeof AccountSession>;

export type Session = Static<typeof Session>;
