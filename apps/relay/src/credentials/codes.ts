import type { RelaySecrets } from '@tabletop-relay/database';
import { createHmac, hash, randomInt } from 'node:crypto';

/** 32 characters that nobody mistakes for one another. */
const shortAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const draw = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Six characters, 30 bits: too few for a bare hash, so it is stored as `hmacCode`. */
export const newPairingCode = () => draw(shortAlphabet, 6);

/** The code as it was issued, from what a person typed; undefined where it can't be one. */
export function readPairingCode(typed: string): string | undefined {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  return /^[A-HJ-NP-Z2-9]{6}$/.test(code) ? code : undefined;
}

type HmacPurpose =
  | 'pairing-code'
  | 'login-email'
  | 'known-device'
  | 'caller'
  | 'memory'
  | 'oauth-client'
  | 'oauth-client-secret';

/** Keyed with the server's secret; `purpose` keeps equal texts of different use apart. */
export function hmacCode(secret: string, purpose: HmacPurpose, text: string): Buffer {
  return createHmac('sha256', secret).update(`${purpose}:${text}`).digest();
}

/** As `hmacCode`, under each of the secrets: what was made before a change of the secret is found too. */
export function hmacCodes(secrets: RelaySecrets, purpose: HmacPurpose, text: string): Buffer[] {
  return secrets.map((secret) => hmacCode(secret, purpose, text));
}

/** 26 Crockford characters, 130 bits: both link and secret, stored as a SHA-256 hash. */
export const newLongCode = () => draw(crockford, 26);

/** Crockford's rule: O is 0, I and L are 1. */
const plainCrockford = (typed: string) => typed.toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');

/** A long code's canonical form; undefined where it can't be one. */
export function readLongCode(typed: string): string | undefined {
  const code = plainCrockford(typed.trim());
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(code) ? code : undefined;
}

/** 24 Crockford characters in groups of four: 120 bits, so that a bare hash of it can be stored. */
export const newRecoveryCode = () => draw(crockford, 24).replaceAll(/.{4}(?!$)/g, '$&-');

/** A recovery code without its groups, as it is hashed; undefined where it can't be one. */
export function readRecoveryCode(typed: string): string | undefined {
  const code = plainCrockford(typed.replaceAll(/[\s-]/g, ''));
  return /^[0-9A-HJKMNP-TV-Z]{24}$/.test(code) ? code : undefined;
}

export const hashLongCode = (code: string) => hash('sha256', code, 'buffer');
