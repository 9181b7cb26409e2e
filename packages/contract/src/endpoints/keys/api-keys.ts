import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from '../endpoint.ts';
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
    hint: Type.String({ description: 'Prefix, first and last four characters.' }),
    scopes: Type.Array(Type.String()),
    clientIds: nullable(clientIdList),
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
    createdAt: time,
  },
  { title: 'ApiKey' },
);

const NewApiKey = Type.Object(
  {
    ...ApiKey.properties,
    apiKey: Type.String({ description: 'Shown here, never again.' }),
  },
  { title: 'NewApiKey' },
);

const terms = {
  name,
  scopes: scopeList,
  clientIds: Type.Optional(keyClients),
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
    body: closed(terms),
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
          description: 'How long programs may go on with the old value; a day at most.',
        }),
      ),
    }),
    secretAnswer: true,
    answer: NewApiKey,
    problems: ['conflict', 'rotation_required'],
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
