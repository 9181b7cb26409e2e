import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefixes by which people and secret scanners recognize the kind of a secret. */
const prefixes = {
  masterKey: 'trm',
  scopedKey: 'trk',
  connectionToken: 'trc',
  session: 'trs',
  passwordReset: 'trr',
  streamTicket: 'tre',
  accessToken: 'tro',
  refreshToken: 'trf',
} as const;

export type SecretKind = keyof typeof prefixes;

export interface NewSecret {
  /** The secret itself. It is shown once and never stored. */
  value: string;
  hash: Buffer;
  /** The prefix with the first and last four characters, for the dashboard. */
  hint: string;
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pattern = /^(tr[mkcsreof])_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const kinds = new Map(Object.entries(prefixes).map(([kind, prefix]) => [prefix, kind as SecretKind]));

const draw = (length: number) => Array.from({ length }, () => base62[randomInt(62)]).join('');

/** `family`: what it has in common with others, from `newFamily`. */
export function createSecret(kind: SecretKind, family = ''): NewSecret {
  const body = family + draw(32 - family.length);
  const prefix = prefixes[kind];
  const value = `${prefix}_${body}${checksum(`${prefix}_${body}`)}`;
  return { value, hash: hashSecret(value), hint: `${prefix}_${body.slice(0, 4)}…${value.slice(-4)}` };
}

/** The kind of a secret; undefined if its form or checksum is wrong, so that no look-up is needed. */
export function kindOfSecret(value: string): SecretKind | undefined {
  const parts = pattern.exec(value);
  if (!parts) return undefined;
  const [, prefix, body, sum] = parts;
  if (sum !== checksum(`${prefix}_${body}`)) return undefined;
  return kinds.get(prefix as (typeof prefixes)[SecretKind]);
}

const familyLength = 12;

/** A text that the tokens of one sign-in begin with, 71 random bits: one that has ended is told from one that never was. */
export const newFamily = (): string => draw(familyLength);

/** The family of a secret of well-formed kind. */
export const familyOf = (value: string): string => value.slice(4, 4 + familyLength);

/** The SHA-256 hash, which is stored instead of the secret. A slow hash is not needed for 190 random bits. */
export function hashSecret(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let sum = '';
  for (let i = 0; i < 6; i++) {
    sum = base62.charAt(rest % 62) + sum;
    rest = Math.floor(rest / 62);
  }
  return sum;
}
