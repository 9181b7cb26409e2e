import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from '../endpoint.ts';
import { id, nothing, pageOf, pageQuery, time } from '../fields.ts';

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
export const AccountSession = Type.Object(fields);

const Session = Type.Object({ ...fields, current: Type.Boolean() });

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
    auth: 'session',
    origin: 'same',
    answer: nothing,
  },
} as const satisfies Endpoints;

export type AccountSession = Static<typeof AccountSession>;

export type Session = Static<typeof Session>;
