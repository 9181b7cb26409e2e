import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefix says what a secret is for, to people and to secret scanners. */
const prefixes = {
  masterKey: 'trm',
  scopedKey: 'trk',
  connectionToken: 'trc',
  session: 'trs',
  passwordReset: 'trr',
} as const;

export type SecretKind = keyof typeof prefixes;

export interface NewSecret {
  /** Shown once, stored never. */
  value: string;
  hash: Buffer;
  /** Prefix, first and last four characters: what the dashboard shows. */
  hint: string;
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pattern = /^(tr[mkcsr])_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const kinds = new Map(Object.entries(prefixes).map(([kind, prefix]) => [prefix, kind as SecretKind]));

export function createSecret(kind: SecretKind): NewSecret {
  const body = Array.from({ length: 32 }, () => base62[randomInt(62)]).join('');
  const prefix = prefixes[kind];
  const value = `${prefix}_${body}${checksum(`${prefix}_${body}`)}`;
  return { value, hash: hashSecret(value), hint: `${prefix}_${body.slice(0, 4)}…${value.slice(-4)}` };
}

/** What the secret is for, or undefined where its form or checksum is wrong: then no look-up is worth it. */
export function kindOfSecret(value: string): SecretKind | undefined {
  const [, prefix, body, sum] = pattern.exec(value) ?? [];
  if (!prefix || !body || sum !== checksum(`${prefix}_${body}`)) return undefined;
  return kinds.get(prefix as (typeof prefixes)[SecretKind]);
}

/** SHA-256: enough for 190 random bits, and all that is ever stored. */
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
