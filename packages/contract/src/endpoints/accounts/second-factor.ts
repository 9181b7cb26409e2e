import { Type } from 'typebox';
import type { Static } from 'typebox';
import { closed } from '../fields.ts';

/** The second factors that a person may set up. */
export const factorKinds = ['totp', 'passkey'] as const;

/** What answers `second_factor_required`: a factor, or one of the codes for the day when it is lost. */
export const factorMethods = [...factorKinds, 'recovery'] as const;

export type FactorKind = (typeof factorKinds)[number];
export type FactorMethod = (typeof factorMethods)[number];

const base64url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[\\w-]+$' });

const challenge = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[\\w-]+$',
  description: 'From the answer that asked for it',
});

export const totpCode = Type.String({ pattern: '^\\d{3} ?\\d{3}$', description: 'Six digits' });

/** A credential as `PublicKeyCredential.toJSON()` of a browser writes it; browsers add fields. */
const credential = { id: base64url(1364), rawId: base64url(1364), type: Type.Literal('public-key') };

const extensionResults = Type.Object({}, { additionalProperties: true });

const PasskeyAssertion = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url(4_000),
      authenticatorData: base64url(4_000),
      signature: base64url(8_000),
    }),
    clientExtensionResults: extensionResults,
  },
  { title: 'PasskeyAssertion' },
);

/** The answer of `navigator.credentials.create`. */
export const PasskeyRegistration = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url(4_000),
      attestationObject: base64url(12_000),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
    }),
    clientExtensionResults: extensionResults,
  },
  { title: 'PasskeyRegistration' },
);

const SecondFactorAnswer = Type.Union(
  [
    closed({ method: Type.Literal('totp'), challenge, code: totpCode }),
    closed({
      method: Type.Literal('recovery'),
      challenge,
      code: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    closed({ method: Type.Literal('passkey'), challenge, credential: PasskeyAssertion }),
  ],
  {
    title: 'SecondFactorAnswer',
    description: 'The answer to `second_factor_required`, sent beside the password.',
  },
);

/** The part that every body with a password has: an account with a second factor is asked for it as well. */
export const secondFactor = Type.Optional(SecondFactorAnswer);

export type SecondFactorAnswer = Static<typeof SecondFactorAnswer>;
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;
export type PasskeyRegistration = Static<typeof PasskeyRegistration>;

/** The fields that the problems `second_factor_required` and `second_factor_invalid` add to a problem document. */
export interface SecondFactorDemand {
  /** What may answer it. */
  methods: FactorMethod[];
  /** Works once, for this account and this endpoint. */
  challenge: string;
  /** ISO 8601. */
  challengeExpiresAt: string;
  /** `PublicKeyCredentialRequestOptionsJSON`, where `passkey` is among the methods. */
  passkeyOptions?: Record<string, unknown>;
}
