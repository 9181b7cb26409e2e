/** Fields of a handshake’s answer that the encryption needs. */
export interface SessionKey {
  /** PEM. */
  publicKey: string;
  nonce: string;
}

const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' } as const;

/** Encrypts a tabletop's password for one start: only the relay that gave the key can read it. Browsers need https. */
export async function encryptPassword({ publicKey, nonce }: SessionKey, password: string): Promise<string> {
  const bytes = fromBase64(publicKey.replaceAll(/-----[^-]+-----|\s/g, ''));
  const key = await crypto.subtle.importKey('spki', bytes, algorithm, false, ['encrypt']);
  const text = new TextEncoder().encode(JSON.stringify({ password, nonce }));
  const encrypted = await crypto.subtle.encrypt({ name: algorithm.name }, key, text);
  return btoa(String.fromCharCode(...new Uint8Array(encrypted)));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
