import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts texts that only the relay may read, in a form that only the relay can have made. */
export interface Sealer {
  /** Answers base64url. `context` names the kind of text and its owner. The text opens under the same context only. */
  seal(text: string, context: string): string;
  /** Undefined if the text was not sealed under this context with this secret. */
  open(sealed: string, context: string): string | undefined;
}

const cipher = 'aes-256-gcm';
const keyIdBytes = 6;
const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM under a key derived from RELAY_SECRET. A sealed text begins with the id of its key. */
export function createSealer(secret: string): Sealer {
  const derive = (info: string, length: number) => Buffer.from(hkdfSync('sha256', secret, '', info, length));
  const key = derive('seal', 32);
  const keyId = derive('seal key id', keyIdBytes);

  return {
    seal(text, context) {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipher, key, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return Buffer.concat([keyId, iv, body, sealing.getAuthTag()]).toString('base64url');
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64url');
      // Base64url can spell the same bytes in several ways. One is taken, so that a used token cannot come in another.
      if (bytes.toString('base64url') !== sealed || bytes.length < keyIdBytes + ivBytes + tagBytes)
        return undefined;
      if (!bytes.subarray(0, keyIdBytes).equals(keyId)) return undefined;
      const iv = bytes.subarray(keyIdBytes, keyIdBytes + ivBytes);
      const opening = createDecipheriv(cipher, key, iv, { authTagLength: tagBytes })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-tagBytes));
      try {
        const body = bytes.subarray(keyIdBytes + ivBytes, -tagBytes);
        return Buffer.concat([opening.update(body), opening.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
