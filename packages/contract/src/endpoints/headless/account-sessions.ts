import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from '../endpoint.ts';
import { closed, id, nothing, nullable, pageOf, pageQuery, time } from '../fields.ts';
import { consoleLevels, HeadlessSession } from './session-record.ts';
import { Handshake, login, startFields } from './sessions.ts';

const ConsoleLine = Type.Object({ at: time, level: Type.Enum([...consoleLevels]), text: Type.String() });

export const accountSessionEndpoints = {
  listHeadlessSessions: {
    method: 'GET',
    path: '/auth/headless-sessions',
    summary: 'List your headless sessions',
    description: 'Those that ended are kept for a day.',
    auth: 'session',
    origin: 'same',
    query: pageQuery,
    answer: pageOf(HeadlessSession),
  },
  beginHeadlessSession: {
    method: 'POST',
    path: '/auth/headless-sessions/handshake',
    summary: 'Get a key to encrypt a tabletop’s password with',
    auth: 'session',
    origin: 'same',
    limit: 'sessionHandshake',
    body: closed(login),
    secretAnswer: true,
    answer: Handshake,
    problems: ['url_not_allowed'],
  },
  startHeadlessSession: {
    method: 'POST',
    path: '/auth/headless-sessions',
    summary: 'Log a browser of the relay in to a tabletop',
    description: 'Answers at once; the list tells how far it is.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: closed(startFields),
    answer: Type.Object({ id }),
    problems: ['handshake_invalid', 'url_not_allowed', 'conflict', 'paused', 'rotation_required'],
  },
  getHeadlessPicture: {
    method: 'GET',
    path: '/auth/headless-sessions/:id/picture',
    summary: 'Look at the page of a headless session',
    description:
      'Takes a new picture while the session runs; of one that failed it is the last that was seen.',
    auth: 'session',
    origin: 'same',
    answer: Type.Object({
      at: nullable(time, { description: 'Null: there is no picture yet.' }),
      image: Type.String({ description: 'A `data:` address of a JPEG; empty: there is none yet.' }),
    }),
  },
  getHeadlessConsole: {
    method: 'GET',
    path: '/auth/headless-sessions/:id/console',
    summary: 'Read the console of a headless session’s page',
    description: 'The last lines, oldest first.',
    auth: 'session',
    origin: 'same',
    answer: Type.Object({ lines: Type.Array(ConsoleLine) }),
  },
  stopHeadlessSession: {
    method: 'DELETE',
    path: '/auth/headless-sessions/:id',
    summary: 'End a headless session',
    auth: 'session',
    origin: 'same',
    answer: nothing,
  },
} as const satisfies Endpoints;

export type ConsoleLine = Static<typeof ConsoleLine>;
