import { Type } from 'typebox';
import type { Static } from 'typebox';
import { WorldMetadata, loggedMetadata } from '../world.ts';
import type { Endpoints } from './endpoint.ts';
import { closed, id, nullable, pageOf, pageQuery, time } from './fields.ts';

const record = { id, at: time, ipAddress: Type.String(), instanceId: Type.String() };

const ConnectionLog = Type.Object({
  ...record,
  clientId: Type.String(),
  tokenId: nullable(id),
  tokenName: Type.String(),
  userAgent: Type.String(),
  ...Type.Pick(WorldMetadata, loggedMetadata).properties,
  metadataMatch: nullable(Type.Boolean()),
  mismatch: Type.Array(Type.String()),
  pairedName: Type.String({
    description:
      'What the world is known as: the name that its owner gave it, or the title that its paired browser gave. `worldTitle` is what this one said. Empty where the world is no longer there.',
  }),
  outcome: Type.String(),
  closeCode: nullable(
    Type.Integer({ description: 'The relay’s own code where the relay closed the connection.' }),
  ),
  attempts: Type.Integer({
    description:
      'How many attempts this entry stands for. Above 1: refused ones of one minute, counted by address (IPv6: its prefix).',
  }),
});

const AuditEntry = Type.Object({
  ...record,
  event: Type.String(),
  outcome: Type.String(),
  actor: Type.String(),
  clientId: nullable(Type.String()),
  subjectId: nullable(Type.String()),
  userAgent: Type.String(),
  detail: Type.Object({}, { additionalProperties: true }),
});

const RemoteRequestLog = Type.Object({
  ...record,
  sourceClientId: id,
  sourceTokenId: id,
  sourceTokenName: Type.String(),
  targetClientId: Type.String({ description: 'As the module named it; there need be no such world.' }),
  action: Type.String(),
  outcome: Type.String(),
  error: Type.String(),
  durationMs: Type.Integer(),
  attempts: Type.Integer({
    description:
      'How many requests this entry stands for. Above 1: those of one minute that were refused because the token had sent too many.',
  }),
});

const logQuery = closed({
  ...pageQuery.properties,
  client: Type.Optional(id),
  outcome: Type.Optional(Type.String({ maxLength: 50 })),
  since: Type.Optional(time),
  until: Type.Optional(time),
});

export const logEndpoints = {
  listConnectionLogs: {
    method: 'GET',
    path: '/auth/connection-logs',
    summary: 'List the attempts to connect, accepted or not',
    auth: 'session',
    origin: 'same',
    query: logQuery,
    answer: pageOf(ConnectionLog),
  },
  listRemoteRequestLogs: {
    method: 'GET',
    path: '/auth/remote-request-logs',
    summary: 'List what your worlds asked each other, granted or not',
    description: '`client` is the world that asked or the one that was asked.',
    auth: 'session',
    origin: 'same',
    query: logQuery,
    answer: pageOf(RemoteRequestLog),
  },
  listAuditLog: {
    method: 'GET',
    path: '/auth/audit-log',
    summary: 'List what happened to your account and its credentials',
    auth: 'session',
    origin: 'same',
    query: logQuery,
    answer: pageOf(AuditEntry),
  },
} as const satisfies Endpoints;

export type ConnectionLog = Static<typeof ConnectionLog>;
export type RemoteRequestLog = Static<typeof RemoteRequestLog>;
export type AuditEntry = Static<typeof AuditEntry>;
