import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The values of RELAY_SECRET. The first seals, signs and keys; what any of them made is still taken. */
export type RelaySecrets = readonly [string, ...string[]];

/** Encrypts texts that only the relay may read, in a form that only the relay can have made. */
export interface Sealer {
  /** The ids of the keys, that of the first secret first. Each sealed text begins with the id of its key. */
  readonly keyIds: readonly [string, ...string[]];
  /** Answers base64url. `context` names the kind of text and its owner. The text opens under the same context only. */
  seal(text: string, context: string): string;
  /** Undefined if the text was not sealed under this context with one of these secrets. */
  open(sealed: string, context: string): string | undefined;
}

const cipher = 'aes-256-gcm';
/** A multiple of three bytes, so that the id is a prefix of the base64url text too. */
const keyIdBytes = 6;
/** The length of a key's id at the start of a sealed text. */
export const keyIdLength = (keyIdBytes / 3) * 4;
const ivBytes = 12;
const tagBytes = 16;

/** The values of the setting; undefined where it has none. */
export function readRelaySecrets([first, ...others]: readonly string[]): RelaySecrets | undefined {
  return first === undefined ? undefined : [first, ...others];
}

/** AES-256-GCM under keys derived from RELAY_SECRET. */
export function createSealer([newest, ...older]: RelaySecrets): Sealer {
  const sealKey = deriveKey(newest);
  const olderKeys = older.map(deriveKey);
  const keys = new Map([...olderKeys, sealKey].map((key) => [key.id, key.key]));

  return {
    keyIds: [sealKey.id, ...olderKeys.map(({ id }) => id)],
    seal(text, context) {
      return sealKey.id + sealBytes(sealKey.key, text, context).toString('base64url');
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64url');
      // Base64url can spell the same bytes in several ways. One is taken, so that a used token cannot come in another.
      if (bytes.toString('base64url') !== sealed) return undefined;
      const key = keys.get(sealed.slice(0, keyIdLength));
      return key && openBytes(key, bytes.subarray(keyIdBytes), context);
    },
  };
}

function deriveKey(secret: string): { id: string; key: Buffer } {
  const derive = (info: string, length: number) => Buffer.from(hkdfSync('sha256', secret, '', info, length));
  return { id: derive('seal key id', keyIdBytes).toString('base64url'), key: derive('seal', 32) };
}

/** A key that a row keeps for itself: with the row ends whatever it opens. */
export const newSealKey = (): Buffer => randomBytes(32);

/** Seals under a key of a row's own. Answers base64url. */
export const sealUnder = (key: Buffer, text: string): string =>
  sealBytes(key, text, '').toString('base64url');

/** Undefined for what this key has not sealed. */
export const openUnder = (key: Buffer, sealed: string): string | undefined =>
  openBytes(key, Buffer.from(sealed, 'base64url'), '');

function sealBytes(key: Buffer, text: string, context: string): Buffer {
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, key, iv).setAAD(Buffer.from(context));
  const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
  return Buffer.concat([iv, body, sealing.getAuthTag()]);
}

function openBytes(key: Buffer, bytes: Buffer, context: string): string | undefined {
  if (bytes.length < ivBytes + tagBytes) return undefined;
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-tagBytes));
  try {
    const body = bytes.subarray(ivBytes, -tagBytes);
    return Buffer.concat([opening.update(body), opening.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
