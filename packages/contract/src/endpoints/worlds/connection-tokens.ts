import { Type } from 'typebox';
import type { Static } from 'typebox';
import { ActingUsers, actingUserTerms } from '../acting-users.ts';
import { browserTerms } from './browser-terms.ts';
import type { Endpoints } from '../endpoint.ts';
import { changesOf, clientIdList, id, name, nothing, nullable, pageOf, pageQuery, time } from '../fields.ts';

const ConnectionToken = Type.Object(
  {
    id,
    clientId: id,
    name: Type.String(),
    hint: Type.String(),
    allowedTargetClients: clientIdList,
    remoteScopes: Type.Array(Type.String()),
    ...ActingUsers,
    ipAllowlist: Type.String(),
    origin: Type.String(),
    lastUsedAt: nullable(time),
    lastIpAddress: Type.String(),
    isConnected: nullable(
      Type.Boolean({
        description: 'Whether this browser holds its world’s connection now; null while nobody can tell.',
      }),
    ),
    createdAt: time,
  },
  { title: 'ConnectionToken' },
);

export const connectionTokenEndpoints = {
  listConnectionTokens: {
    method: 'GET',
    path: '/auth/connection-tokens',
    summary: 'List your paired browsers',
    auth: 'session',
    origin: 'same',
    query: pageQuery,
    answer: pageOf(ConnectionToken),
  },
  updateConnectionToken: {
    method: 'PATCH',
    path: '/auth/connection-tokens/:id',
    summary: 'Change what a paired browser may do',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: changesOf({ name, ...browserTerms, ...actingUserTerms }),
    answer: ConnectionToken,
    problems: ['client_not_found', 'rotation_required'],
  },
  revokeConnectionToken: {
    method: 'DELETE',
    path: '/auth/connection-tokens/:id',
    summary: 'Unpair a browser',
    auth: 'session',
    origin: 'same',
    answer: nothing,
  },
} as const satisfies Endpoints;

export type ConnectionToken = Static<typeof ConnectionToken>;
