import { Type } from 'typebox';
import type { Static } from 'typebox';
import { pairingMetadata } from '../../world.ts';
import { browserTerms } from './browser-terms.ts';
import type { Endpoints } from '../endpoint.ts';
import { closed, id, time } from '../fields.ts';

const PairingCode = Type.Object(
  {
    code: Type.String({ description: 'Six characters; upper and lower case are the same.' }),
    expiresIn: Type.Integer({ description: 'Seconds.' }),
    expiresAt: time,
  },
  { title: 'PairingCode' },
);

/** Modules send more fields than these; the relay ignores the others. */
const PairBody = Type.Object(
  { code: Type.String({ maxLength: 32 }), ...pairingMetadata },
  { title: 'PairBody', additionalProperties: true },
);

const PairAnswer = Type.Object(
  {
    token: Type.String({ description: 'Opens the WebSocket for this clientId, from this browser.' }),
    clientId: id,
    relayUrl: Type.String(),
  },
  { title: 'PairAnswer' },
);

/** The dashboard calls the first; modules call the others, from any origin. */
export const pairingEndpoints = {
  createPairingCode: {
    method: 'POST',
    path: '/auth/pairing-codes',
    summary: 'Make a pairing code',
    description: 'With `clientId` it adds a browser to that world.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: closed({
      clientId: Type.Optional(id),
      allowedTargetClients: Type.Optional(browserTerms.allowedTargetClients),
      remoteScopes: Type.Optional(browserTerms.remoteScopes),
      ipAllowlist: Type.Optional(browserTerms.ipAllowlist),
    }),
    secretAnswer: true,
    answer: PairingCode,
    problems: ['client_not_found', 'conflict', 'rotation_required'],
  },
  pair: {
    method: 'POST',
    path: '/auth/pair',
    summary: 'Pair a browser',
    auth: 'none',
    origin: 'any',
    limit: 'pair',
    body: PairBody,
    secretAnswer: true,
    answer: PairAnswer,
    problems: ['not_found', 'conflict', 'code_used', 'code_expired', 'rotation_required', 'account_disabled'],
  },
  selfUnpair: {
    method: 'POST',
    path: '/api/self-unpair',
    summary: 'Give a connection token back',
    description: 'Deletes that token and nothing else. The answer is the same for a token that is unknown.',
    auth: 'none',
    origin: 'any',
    limit: 'selfUnpair',
    body: Type.Object({ token: Type.String({ maxLength: 200 }) }, { additionalProperties: true }),
    answer: Type.Object({ success: Type.Boolean() }),
  },
} as const satisfies Endpoints;

export type PairingCode = Static<typeof PairingCode>;
export type PairBody = Static<typeof PairBody>;
export type PairAnswer = Static<typeof PairAnswer>;
