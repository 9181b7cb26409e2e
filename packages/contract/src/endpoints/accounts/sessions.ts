import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from '../endpoint.ts';
import { id, nothing, pageOf, pageQuery, time } from '../fields.ts';

const Session = Type.Object({
  id,
  createdAt: time,
  lastUsedAt: time,
  expiresAt: time,
  userAgent: Type.String(),
  device: Type.String({ description: 'The user agent in words, for example "Firefox on Linux".' }),
  ipAddress: Type.String(),
  current: Type.Boolean(),
});

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

export type Session = Static<typeof Session>;
