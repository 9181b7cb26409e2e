import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** The key of one session. */
export function newSealKey(): Buffer {
  return randomBytes(32);
}

/** AES-256-GCM, base64url. */
export function seal(key: Buffer, text: string): string {
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, key, iv);
  const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
  return Buffer.concat([iv, body, sealing.getAuthTag()]).toString('base64url');
}

/** Undefined for what this key has not sealed. */
export function openSealed(key: Buffer, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < ivBytes + tagBytes) return undefined;
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  opening.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const body = bytes.subarray(ivBytes, -tagBytes);
    return Buffer.concat([opening.update(body), opening.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
