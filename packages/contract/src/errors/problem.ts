import { Type } from 'typebox';
import type { Static } from 'typebox';
import { StandingPause } from '../pause.ts';
import { errors } from './errors.ts';
import type { ErrorCode } from './errors.ts';

/** One world of those that a call may have meant. */
const Candidate = Type.Object(
  {
    clientId: Type.String(),
    worldTitle: Type.String({ description: 'The world’s title; empty where the module never told it.' }),
    customName: Type.Optional(Type.String({ description: 'Its name in the dashboard, where it has one.' })),
  },
  { title: 'Candidate' },
);

/** Most worlds that are named as candidates. */
export const maxCandidates = 50;

/** One thing that is wrong with a request: `<field> <message>` reads as a sentence. */
export const FieldError = Type.Object(
  {
    field: Type.String({
      description: 'The name as the caller wrote it; a path with dots where the fault lies deeper.',
    }),
    place: Type.Optional(
      Type.Enum(['path', 'query', 'body'], { description: 'Where the parameter of an operation was.' }),
    ),
    message: Type.String({ description: 'What is wrong, to be read after the name.' }),
  },
  { title: 'FieldError' },
);

const fieldsOfCodes = {
  errors: Type.Optional(
    Type.Array(FieldError, {
      description: 'Each field that is wrong, where the code is `invalid_request`.',
    }),
  ),
  candidates: Type.Optional(
    Type.Array(Candidate, {
      maxItems: maxCandidates,
      description:
        'The worlds that are online and that the key may reach, where the code is `client_required`. Put the `clientId` of one into the call.',
    }),
  ),
  scope: Type.Optional(
    Type.String({ description: 'The scope that is needed, where the code is `scope_missing`.' }),
  ),
  reason: Type.Optional(
    Type.String({
      description:
        'The world’s own code, for example `entity_not_found`, where the code is `operation_failed`.',
    }),
  ),
  lastSeen: Type.Optional(
    Type.Integer({
      description:
        'When the world was last connected, in epoch milliseconds (0: never), where the code is `client_offline`.',
    }),
  ),
  clientId: Type.Optional(
    Type.String({ description: 'The world that stands in the way, where a session meets a `conflict`.' }),
  ),
  sessionId: Type.Optional(
    Type.String({ description: 'The headless session, where one failed or stands in the way.' }),
  ),
  stage: Type.Optional(
    Type.String({ description: 'How far the session came, where the code is `session_failed`.' }),
  ),
  pause: Type.Optional(StandingPause),
  actingUserId: Type.Optional(
    Type.String({ description: 'The user as whom the key acts, where the code is `acting_user_fixed`.' }),
  ),
  success: Type.Optional(
    Type.Literal(false, {
      description: 'Where the code is `operation_failed`, for programs that look for `success`.',
    }),
  ),
  methods: Type.Optional(
    Type.Array(Type.String(), {
      description: 'What may answer `second_factor_required`: `totp`, `passkey`, `recovery`.',
    }),
  ),
  challenge: Type.Optional(
    Type.String({ description: 'Goes back in `secondFactor`. It works once, for five minutes.' }),
  ),
  challengeExpiresAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the challenge ends.' }),
  ),
  passkeyOptions: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: '`PublicKeyCredentialRequestOptionsJSON`, where `passkey` is among the methods.',
    }),
  ),
};

/** RFC 9457 problem document, as every error of the API answers. Some codes add fields of their own. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'The page that explains the code.' }),
    title: Type.String({ description: 'The code in words; the same for each problem of the code.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What happened and what to do.' }),
    code: Type.Enum(Object.keys(errors) as ErrorCode[], { description: 'What to decide by.' }),
    retryable: Type.Boolean({ description: 'Whether the same call may be repeated.' }),
    outcome: Type.Optional(
      Type.Enum(['not_sent', 'unknown'], { description: 'Whether a failed command reached the world.' }),
    ),
    ...fieldsOfCodes,
    traceId: Type.String({ description: 'The request’s id, also in the x-request-id header.' }),
    requestId: Type.Optional(Type.String({ description: 'The operation’s id, once it has one.' })),
    error: Type.String({
      description:
        'Repeats `detail`, for programs that read `error`. Of a missing and of an unknown scope it has the words that programs look for.',
    }),
  },
  { $id: 'Problem', description: 'RFC 9457 problem document.' },
);

export type FieldError = Static<typeof FieldError>;
export type Problem = Static<typeof Problem> & { [extra: string]: unknown };
/** What a failure may add to its problem document. */
export type ProblemFields = Pick<
  Static<typeof Problem>,
  keyof typeof fieldsOfCodes | 'requestId' | 'outcome' | 'retryable' | 'error'
>;
