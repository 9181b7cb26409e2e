import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { PasskeyAssertion, PasskeyRegistration } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Kysely, Transaction } from 'kysely';
import type { PasskeySite } from './passkey-site.ts';

/** A passkey as it is kept: nothing of it is secret. */
export interface NewPasskey {
  credentialId: string;
  publicKey: Buffer;
  signCount: number;
  transports: string[];
  rpId: string;
}

/** The person gave the password already, so the authenticator needs not ask who holds it. */
const userVerification = 'discouraged';
/** EdDSA, ES256 and RS256: what authenticators have. */
const supportedAlgorithmIDs = [-8, -7, -257];
const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'));

/** The ids of an account's passkeys that belong to this site. */
async function credentialsOf(db: Kysely<Tables>, accountId: string, rpId: string) {
  const rows = await db
    .selectFrom('secondFactors')
    .select(['credentialId', 'transports'])
    .where('accountId', '=', accountId)
    .where('kind', '=', 'passkey')
    .where('rpId', '=', rpId)
    .execute();
  return rows.map(({ credentialId, transports }) => ({
    id: credentialId ?? '',
    transports: transports ?? [],
  }));
}

/** For `navigator.credentials.create`. `challenge` is base64url. */
export async function passkeyCreation(
  db: Kysely<Tables>,
  input: { account: { id: string; email: string }; site: PasskeySite; challenge: string },
) {
  const { account, site } = input;
  return await generateRegistrationOptions({
    rpName: 'Tabletop Relay',
    rpID: site.rpId,
    userName: account.email,
    userID: new TextEncoder().encode(account.id),
    challenge: bytesOf(input.challenge),
    attestationType: 'none',
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'discouraged', userVerification },
    excludeCredentials: await credentialsOf(db, account.id, site.rpId),
  });
}

/** The new passkey; undefined where the browser's answer is wrong. */
export async function readNewPasskey(
  credential: PasskeyRegistration,
  { site, challenge }: { site: PasskeySite; challenge: string },
): Promise<NewPasskey | undefined> {
  const verified = await verifyRegistrationResponse({
    response: credential,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: false,
    supportedAlgorithmIDs,
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    transports: credential.response.transports ?? [],
    rpId: site.rpId,
  };
}

/** For `navigator.credentials.get`; undefined where the account has no passkey of this site. */
export async function passkeyRequest(
  db: Kysely<Tables>,
  { accountId, site, challenge }: { accountId: string; site: PasskeySite; challenge: string },
) {
  const allowCredentials = await credentialsOf(db, accountId, site.rpId);
  if (allowCredentials.length === 0) return undefined;
  return await generateAuthenticationOptions({
    rpID: site.rpId,
    allowCredentials,
    challenge: bytesOf(challenge),
    userVerification,
  });
}

/** Whether a passkey of the account signed the challenge. Its counter must have grown, if it counts at all. */
export async function usePasskey(
  trx: Transaction<Tables>,
  input: {
    accountId: string;
    site: PasskeySite;
    challenge: string;
    credential: PasskeyAssertion;
    now: number;
  },
): Promise<boolean> {
  const { accountId, site, credential } = input;
  const factor = await trx
    .selectFrom('secondFactors')
    .select(['id', 'publicKey', 'signCount'])
    .where('accountId', '=', accountId)
    .where('credentialId', '=', credential.id)
    .where('rpId', '=', site.rpId)
    .executeTakeFirst();
  if (!factor?.publicKey) return false;
  const verified = await verifyAuthenticationResponse({
    response: credential,
    expectedChallenge: input.challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    credential: {
      id: credential.id,
      publicKey: new Uint8Array(factor.publicKey),
      counter: Number(factor.signCount),
    },
    requireUserVerification: false,
  }).catch(() => undefined);
  if (!verified?.verified) return false;
  await trx
    .updateTable('secondFactors')
    .set({ signCount: verified.authenticationInfo.newCounter, lastUsedAt: new Date(input.now) })
    .where('id', '=', factor.id)
    .execute();
  return true;
}
