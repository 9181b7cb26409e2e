import { Type } from 'typebox';
import type { Static } from 'typebox';
import { WorldMetadata, pairingMetadata } from '../../world.ts';
import type { Endpoints } from '../endpoint.ts';
import { closed, id, nullable, time } from '../fields.ts';
import { browserTerms } from './browser-terms.ts';

const statuses = ['pending', 'approved', 'denied', 'expired', 'exchanged'] as const;

const { customName: _customName, ...world } = WorldMetadata.properties;
const { customName: _name, ...metadata } = pairingMetadata;

/** Today's modules send more fields than these; the relay ignores the others. */
const PairRequestBody = Type.Object(
  {
    ...metadata,
    clientId: Type.Optional(
      Type.Unknown({
        description: 'The paired world’s; needed with `upgradeOnly`, else read like `existingClientId`.',
      }),
    ),
    upgradeOnly: Type.Optional(
      Type.Unknown({
        description: 'True asks that a browser of this world that is paired already may do more.',
      }),
    ),
  },
  { additionalProperties: true },
);

const PairRequestStatus = Type.Object({
  status: Type.Enum([...statuses]),
  pairingCode: Type.Optional(
    Type.String({ description: 'For `POST /auth/pair`. Only in the one answer that hands it out.' }),
  ),
  upgraded: Type.Optional(
    Type.Boolean({ description: 'True once a paired browser got its new permissions.' }),
  ),
});

const JoinedWorld = Type.Object({
  clientId: Type.String(),
  worldTitle: Type.String(),
  customName: Type.String({ description: 'The dashboard’s, else the module’s, else empty.' }),
  pairedOrigin: Type.String({ description: 'The page that it was paired in first; empty: none was named.' }),
  isAtAddress: Type.Boolean({
    description: 'Whether the asking page is where the world was paired, or where a browser of it is paired.',
  }),
});

const PairRequest = Type.Object({
  ...world,
  origin: Type.String({ description: 'The page that the world is open in, as its browser says.' }),
  clientId: nullable(
    Type.String({ description: 'The world whose paired browser asks for more; null: it asks to be paired.' }),
  ),
  joins: nullable(JoinedWorld, {
    description:
      'Your world that the asking page says or proves it is: approved, it becomes a further browser of that world. Null: a new world, or the request waits for nobody any more.',
  }),
  requestedFrom: Type.String({ description: 'The address that asked.' }),
  status: Type.Enum([...statuses]),
  createdAt: time,
  expiresAt: time,
});

const PairRequestDecision = Type.Object({ status: Type.Enum(['approved', 'denied']) });

/** Modules call the first two, from any origin; the page that a person is sent to calls the others. */
export const pairRequestEndpoints = {
  createPairRequest: {
    method: 'POST',
    path: '/auth/pair-request',
    summary: 'Ask to be paired',
    description:
      'The module opens `pairUrl`, where a signed-in person decides, and polls meanwhile. The request proves nothing: what it says is shown to that person.',
    auth: 'none',
    origin: 'any',
    limit: 'pairRequestCreate',
    body: PairRequestBody,
    secretAnswer: true,
    answer: Type.Object({
      code: Type.String(),
      pairUrl: Type.String({ description: 'An http or https address, for the person’s browser.' }),
      expiresIn: Type.Integer({ description: 'Seconds.' }),
      expiresAt: time,
    }),
    problems: ['overloaded'],
  },
  pollPairRequest: {
    method: 'GET',
    path: '/auth/pair-request/:code/status',
    summary: 'Poll a pair request',
    description:
      'Poll every 3 s. The answer with the code comes once. While the relay cannot look, it answers `pending`, because today’s modules give up at any refusal.',
    auth: 'none',
    origin: 'any',
    limit: 'pairRequestStatus',
    secretAnswer: true,
    answer: PairRequestStatus,
    noHead: true,
  },
  getPairRequest: {
    method: 'GET',
    path: '/auth/pair-request/:code',
    summary: 'Show a pair request',
    auth: 'session',
    origin: 'same',
    answer: PairRequest,
  },
  approvePairRequest: {
    method: 'POST',
    path: '/auth/pair-request/:code/approve',
    summary: 'Approve a pair request',
    description:
      'The permissions are empty unless they are given. `joinsClientId` repeats which world was shown in `joins`: where the request would now do anything else, nothing is approved and the answer is `conflict`. For a world that asks for more, `tokenId` names the browser that gets them: that one changes, and a field that is left out stays as it was.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: closed({
      tokenId: Type.Optional(id),
      joinsClientId: Type.Optional(id),
      allowedTargetClients: Type.Optional(browserTerms.allowedTargetClients),
      remoteScopes: Type.Optional(browserTerms.remoteScopes),
      ipAllowlist: Type.Optional(browserTerms.ipAllowlist),
    }),
    answer: PairRequestDecision,
    problems: ['client_not_found', 'conflict', 'code_used', 'code_expired', 'rotation_required'],
  },
  denyPairRequest: {
    method: 'POST',
    path: '/auth/pair-request/:code/deny',
    summary: 'Deny a pair request',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    answer: PairRequestDecision,
    problems: ['code_used', 'code_expired', 'rotation_required'],
  },
} as const satisfies Endpoints;

export type PairRequestBody = Static<typeof PairRequestBody>;
export type PairRequest = Static<typeof PairRequest>;
export type PairRequestStatus = Static<typeof PairRequestStatus>;
export type PairRequestDecision = Static<typeof PairRequestDecision>;
