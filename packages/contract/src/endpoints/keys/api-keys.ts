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
    usedThisMonth: Type.Integer(),
    expiresAt: nullable(time),
    lastUsedAt: nullable(time),
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
