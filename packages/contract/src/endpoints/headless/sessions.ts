import { Type } from 'typebox';
import type { Endpoints } from '../endpoint.ts';
import { closed, id } from '../fields.ts';
import { ActiveSession, consoleLevels } from './session-record.ts';

/** Who logs in where. */
export const login = {
  tabletopUrl: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'The address of the tabletop, http or https.',
  }),
  username: Type.String({ minLength: 1, maxLength: 200, description: 'The tabletop’s user.' }),
  worldName: Type.Optional(
    Type.String({ maxLength: 200, description: 'The id or title of the world; empty: the one that runs.' }),
  ),
};

/** What a start needs beside the handshake. */
export const startFields = {
  handshakeToken: Type.String({ minLength: 1, maxLength: 200, description: 'The handshake’s `token`.' }),
  encryptedPassword: Type.String({
    minLength: 1,
    maxLength: 2000,
    description:
      'The JSON text of `{password, nonce}`, encrypted with `publicKey` by RSA-OAEP with SHA-256, in base64.',
  }),
  captureBrowserConsole: Type.Optional(
    Type.Enum([...consoleLevels], { description: 'The least that is kept of the page’s console.' }),
  ),
};

export const Handshake = Type.Object({
  token: Type.String({ description: 'Works once, within two minutes.' }),
  publicKey: Type.String({ description: 'RSA, as PEM (SPKI).' }),
  nonce: Type.String(),
});

/** A tabletop's address may also stand in `x-foundry-url`, which programs of before send. */
const handshakeHeaders = Type.Object({
  'x-tabletop-url': Type.Optional(
    Type.String({ maxLength: 2000, description: 'Required. The address of the tabletop.' }),
  ),
  'x-username': Type.Optional(Type.String({ maxLength: 200, description: 'Required. The tabletop’s user.' })),
  'x-world-name': Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The id or title of the world. Not given: the one that runs.',
    }),
  ),
});

export const headlessEndpoints = {
  handshake: {
    method: 'POST',
    path: '/session-handshake',
    summary: 'Get a key to encrypt a tabletop’s password with',
    auth: 'apiKey',
    scope: 'session:manage',
    origin: 'any',
    limit: 'sessionHandshake',
    headers: handshakeHeaders,
    secretAnswer: true,
    answer: Handshake,
    problems: ['url_not_allowed'],
  },
  startSession: {
    method: 'POST',
    path: '/start-session',
    summary: 'Log a browser of the relay in to a tabletop, and wait until the world is online',
    description: 'It takes as long as the tabletop does, two minutes at most.',
    auth: 'apiKey',
    scope: 'session:manage',
    origin: 'any',
    body: closed(startFields),
    answer: Type.Object({ success: Type.Boolean(), sessionId: id, clientId: id }),
    problems: [
      'handshake_invalid',
      'url_not_allowed',
      'forbidden',
      'conflict',
      'session_failed',
      'browser_unavailable',
    ],
  },
  endHeadlessSession: {
    method: 'DELETE',
    path: '/end-session',
    summary: 'End a headless session of this key',
    description: 'The master key ends every session of its account.',
    auth: 'apiKey',
    scope: 'session:manage',
    origin: 'any',
    query: closed({ sessionId: id }),
    answer: Type.Object({ status: Type.Literal('ok'), message: Type.String() }),
    problems: ['not_found'],
  },
  listActiveSessions: {
    method: 'GET',
    path: '/session',
    summary: 'List the headless sessions of this key that start, run or end',
    description: 'The master key sees every session of its account.',
    auth: 'apiKey',
    scope: 'session:read',
    origin: 'any',
    answer: Type.Object({ activeSessions: Type.Array(ActiveSession) }),
  },
} as const satisfies Endpoints;
