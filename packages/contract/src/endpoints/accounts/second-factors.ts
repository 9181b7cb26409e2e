import { Type } from 'typebox';
import type { Static } from 'typebox';
import { password } from './credentials.ts';
import type { Endpoints } from '../endpoint.ts';
import { closed, id, name, nothing, nullable, time } from '../fields.ts';
import { PasskeyRegistration, factorKinds, secondFactor, totpCode } from './second-factor.ts';

const SecondFactor = Type.Object(
  {
    id,
    kind: Type.Enum(factorKinds),
    name: Type.String(),
    createdAt: time,
    lastUsedAt: nullable(time),
    usable: Type.Boolean({
      description: 'False: a passkey of another address of this relay, which browsers do not offer here.',
    }),
  },
  { title: 'SecondFactor' },
);

const SecondFactors = Type.Object(
  {
    items: Type.Array(SecondFactor),
    recoveryCodesLeft: Type.Integer(),
    required: Type.Boolean({ description: 'Administrators must have one.' }),
    offered: Type.Array(Type.Enum(factorKinds), {
      description: 'The kinds that can be set up here: passkeys need https or localhost.',
    }),
  },
  { title: 'SecondFactors' },
);

const setup = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'As the first step answered it; it works once, for ten minutes, in the session that asked.',
});

const Added = Type.Object(
  {
    factor: SecondFactor,
    recoveryCodes: nullable(Type.Array(Type.String()), {
      description: 'With the first factor; shown here, never again. Each works once, in place of a factor.',
    }),
  },
  { title: 'AddedSecondFactor' },
);

const changes = { auth: 'session', origin: 'same', limit: 'changeSecondFactor' } as const;
const proven = { password, secondFactor };
const unproven = ['credentials_invalid', 'overloaded'] as const;

export const secondFactorEndpoints = {
  listSecondFactors: {
    method: 'GET',
    path: '/auth/second-factors',
    summary: 'List your second factors',
    auth: 'session',
    openWithoutFactor: true,
    origin: 'same',
    answer: SecondFactors,
  },
  beginTotp: {
    ...changes,
    method: 'POST',
    path: '/auth/second-factors/totp',
    summary: 'Begin to set up codes of an authenticator app',
    description: 'Nothing is kept until a code of the app has confirmed it.',
    openWithoutFactor: true,
    body: closed(proven),
    secretAnswer: true,
    answer: Type.Object({
      setup: Type.String(),
      secret: Type.String({ description: 'Base32, to be typed into an app.' }),
      uri: Type.String({ description: '`otpauth://totp/...`, to be shown as a QR code.' }),
      expiresAt: time,
    }),
    problems: unproven,
  },
  confirmTotp: {
    ...changes,
    method: 'POST',
    path: '/auth/second-factors/totp/confirm',
    summary: 'Finish setting up codes of an authenticator app',
    description:
      'An account has one such app: a new one takes the place of the old. The first factor ends your other sessions.',
    openWithoutFactor: true,
    body: closed({ setup, code: totpCode }),
    secretAnswer: true,
    answer: Added,
  },
  beginPasskey: {
    ...changes,
    method: 'POST',
    path: '/auth/second-factors/passkeys',
    summary: 'Begin to set up a passkey',
    description: 'Refused with 409 `conflict` where passkeys are not offered.',
    openWithoutFactor: true,
    body: closed(proven),
    secretAnswer: true,
    answer: Type.Object({
      setup: Type.String(),
      options: Type.Object(
        {},
        {
          additionalProperties: true,
          description: '`PublicKeyCredentialCreationOptionsJSON` for `navigator.credentials.create`.',
        },
      ),
      expiresAt: time,
    }),
    problems: [...unproven, 'conflict'],
  },
  confirmPasskey: {
    ...changes,
    method: 'POST',
    path: '/auth/second-factors/passkeys/confirm',
    summary: 'Finish setting up a passkey',
    description: 'The first factor ends your other sessions.',
    openWithoutFactor: true,
    body: closed({ setup, name, credential: PasskeyRegistration }),
    secretAnswer: true,
    answer: Added,
    problems: ['conflict'],
  },
  renameSecondFactor: {
    method: 'PATCH',
    path: '/auth/second-factors/:id',
    summary: 'Rename a second factor',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: closed({ name }),
    answer: SecondFactor,
  },
  removeSecondFactor: {
    ...changes,
    method: 'DELETE',
    path: '/auth/second-factors/:id',
    summary: 'Remove a second factor',
    description: 'Recovery codes go with the last one.',
    body: closed(proven),
    answer: nothing,
    problems: unproven,
  },
  makeRecoveryCodes: {
    ...changes,
    method: 'POST',
    path: '/auth/second-factors/recovery-codes',
    summary: 'Make new recovery codes',
    description: 'The codes before them work no more.',
    body: closed(proven),
    secretAnswer: true,
    answer: Type.Object({
      recoveryCodes: Type.Array(Type.String(), { description: 'Shown here, never again.' }),
    }),
    problems: [...unproven, 'conflict'],
  },
} as const satisfies Endpoints;

export type SecondFactor = Static<typeof SecondFactor>;
export type SecondFactors = Static<typeof SecondFactors>;
export type AddedFactor = Static<typeof Added>;
