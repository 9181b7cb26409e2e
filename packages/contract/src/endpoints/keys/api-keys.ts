import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Pause } from '../../pause.ts';
import type { Endpoints } from '../endpoint.ts';
import { ActingUsers, actingUserTerms } from '../acting-users.ts';
import {
  changesOf,
  clientIdList,
  closed,
  id,
  keyClients,
  monthlyLimit,
  name,
  nothing,
  nullable,
  pageOf,
  pageQuery,
  scopeList,
  time,
} from '../fields.ts';

const ApiKey = Type.Object(
  {
    id,
    name: Type.String(),
    hint: Type.String({
      description: 'Prefix, first and last four characters; empty where a program was signed in.',
    }),
    signedIn: nullable(
      Type.Object({
        host: Type.String({ description: 'Where its sign-in led; in words where that was a computer.' }),
      }),
      {
        description:
          'The program that was signed in for it (OAuth), whose tokens are good at `/mcp` alone; null for a key.',
      },
    ),
    scopes: Type.Array(Type.String()),
    clientIds: nullable(clientIdList),
    ...ActingUsers,
    monthlyLimit: nullable(Type.Integer()),
    usedThisMonth: Type.Integer({
      description: 'Calls that count against the monthly limit, those of the last second perhaps not yet.',
    }),
    refusedThisMonth: Type.Integer({
      description: 'Calls of operations that the relay refused, so that they do not count.',
    }),
    expiresAt: nullable(time),
    lastUsedAt: nullable(time),
    oldValue: nullable(
      Type.Object({
        hint: Type.String(),
        endsAt: time,
        lastUsedAt: nullable(time, { description: 'When a call came with it since the key was rolled.' }),
      }),
      { description: 'The value before the key was rolled, while it still works.' },
    ),
    pause: nullable(Pause, { description: 'While it stands, calls with the key are refused as `paused`.' }),
    reachesPaused: Type.Boolean({ description: 'Whether its calls reach a paused world too.' }),
    createdAt: time,
  },
  { title: 'ApiKey' },
);

const NewApiKey = Type.Object(
  {
    ...ApiKey.properties,
    apiKey: Type.String({ description: 'Shown here, never again.' }),
    key: Type.String({ description: 'Repeats `apiKey`, for programs that read `key`.' }),
  },
  { title: 'NewApiKey' },
);

const terms = {
  name,
  scopes: scopeList,
  clientIds: Type.Optional(keyClients),
  ...actingUserTerms,
  monthlyLimit: Type.Optional(nullable(monthlyLimit)),
  expiresAt: Type.Optional(nullable(time)),
};

export const apiKeyEndpoints = {
  listApiKeys: {
    method: 'GET',
    path: '/auth/api-keys',
    summary: 'List your API keys',
    auth: 'session',
    origin: 'same',
    query: pageQuery,
    answer: pageOf(ApiKey),
  },
  createApiKey: {
    method: 'POST',
    path: '/auth/api-keys',
    summary: 'Create an API key',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: closed({
      ...terms,
      reachesPaused: Type.Optional(
        Type.Boolean({
          description:
            'Calls with the key reach a paused world too, though streams and sessions do not: for what a person tries while signed in. Such a key names one world and expires within five minutes.',
        }),
      ),
    }),
    secretAnswer: true,
    answer: NewApiKey,
    problems: ['client_not_found', 'conflict', 'rotation_required'],
  },
  updateApiKey: {
    method: 'PATCH',
    path: '/auth/api-keys/:id',
    summary: 'Change an API key',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: changesOf(terms),
    answer: ApiKey,
    problems: ['client_not_found', 'rotation_required'],
  },
  rollApiKey: {
    method: 'POST',
    path: '/auth/api-keys/:id/roll',
    summary: 'Give an API key a new value',
    description:
      'Name, permissions and figures stay. The old value ends at once, or after `keepOldSeconds`; a key has one old value at most, so a further roll ends the one before. A key whose headless session runs is not rolled.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: closed({
      keepOldSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 86_400,
          default: 0,
          description:
            'How long programs may go on with the old value; a day at most. A paused key keeps none, and a pause ends it.',
        }),
      ),
    }),
    secretAnswer: true,
    answer: NewApiKey,
    problems: ['conflict', 'rotation_required'],
  },
  pauseApiKey: {
    method: 'POST',
    path: '/auth/api-keys/:id/pause',
    summary: 'Pause an API key',
    description:
      'Within a second every use of it is refused with `paused`, on all instances; what is in flight ends as it would. Its event streams stay open and fall silent. A key that is paused already stays so.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    answer: ApiKey,
  },
  resumeApiKey: {
    method: 'POST',
    path: '/auth/api-keys/:id/resume',
    summary: 'Lift the pause of an API key',
    description: '`forbidden` tells of a pause that an administrator set.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    answer: ApiKey,
    problems: ['forbidden'],
  },
  endOldApiKeyValue: {
    method: 'DELETE',
    path: '/auth/api-keys/:id/old-value',
    summary: 'End the old value of a rolled API key now',
    auth: 'session',
    origin: 'same',
    answer: nothing,
  },
  revokeApiKey: {
    method: 'DELETE',
    path: '/auth/api-keys/:id',
    summary: 'Revoke an API key',
    auth: 'session',
    origin: 'same',
    answer: nothing,
  },
} as const satisfies Endpoints;

export type ApiKey = Static<typeof ApiKey>;
export type NewApiKey = Static<typeof NewApiKey>;
