import type { ShortLived } from '@tabletop-relay/headless';
import { constants, hash, privateDecrypt, randomBytes, timingSafeEqual } from 'node:crypto';
import { createSealer } from '@tabletop-relay/database';
import type { RelaySecrets } from '@tabletop-relay/database';
import { ProblemError } from '../../problem.ts';
import type { Holder } from '../holder.ts';
import type { Login } from '../login.ts';
import type { KeyPairs } from './key-pairs.ts';

/** The first step of a start: a key to encrypt the password with, for one use. */
export interface Handshakes {
  begin(holder: Holder, login: Login): Promise<{ token: string; publicKey: string; nonce: string }>;
  /**
   * Ends a handshake, on any instance. Throws `handshake_invalid`, in the same words for a token that is unknown, used, of
   * another holder or too old, and for a password that was not encrypted for it.
   */
  finish(holder: Holder, answer: HandshakeAnswer): Promise<{ login: Login; password: string }>;
}

export interface HandshakeAnswer {
  handshakeToken: string;
  encryptedPassword: string;
}

interface Kept {
  privateKey: string;
  nonce: string;
  holder: string;
  login: Login;
}

const lifetimeMs = 120_000;

/** What is kept is sealed under RELAY_SECRET and named by the token's hash: the store learns neither key nor token. */
export function createHandshakes(deps: {
  kept: ShortLived;
  keyPairs: Pick<KeyPairs, 'take'>;
  secrets: RelaySecrets;
}): Handshakes {
  const { kept, keyPairs } = deps;
  const sealer = createSealer(deps.secrets);
  const nameOf = (token: string) => `handshake:${hash('sha256', token, 'base64url')}`;

  return {
    async begin(holder, login) {
      const { publicKey, privateKey } = await keyPairs.take();
      const token = randomBytes(32).toString('base64url');
      const nonce = randomBytes(24).toString('base64url');
      const state: Kept = { privateKey, nonce, holder: holder.id, login };
      const name = nameOf(token);
      await kept.put(name, sealer.seal(JSON.stringify(state), name), lifetimeMs).catch(storeAway);
      return { token, publicKey, nonce };
    },

    async finish(holder, { handshakeToken, encryptedPassword }) {
      const name = nameOf(handshakeToken);
      const sealed = await kept.take(name).catch(storeAway);
      const opened = sealed === undefined ? undefined : sealer.open(sealed, name);
      if (opened === undefined) throw new ProblemError('handshake_invalid');
      const state = JSON.parse(opened) as Kept;
      const answer = decrypt(state.privateKey, encryptedPassword);
      if (state.holder !== holder.id || !answer || !isSame(answer.nonce, state.nonce)) {
        throw new ProblemError('handshake_invalid');
      }
      return { login: state.login, password: answer.password };
    },
  };
}

/** As WebCrypto and `openssl pkeyutl` encrypt. Undefined for what is not the JSON text of a password and a nonce. */
function decrypt(privateKey: string, encrypted: string): { password: string; nonce: string } | undefined {
  try {
    const padding = { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
    const text = privateDecrypt(padding, Buffer.from(encrypted, 'base64')).toString('utf8');
    const { password, nonce } = JSON.parse(text) as Record<string, unknown>;
    return typeof password === 'string' && typeof nonce === 'string' ? { password, nonce } : undefined;
  } catch {
    return undefined;
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function storeAway(cause: unknown): never {
  throw new ProblemError('unavailable', 'Handshakes cannot be kept at the moment.', { cause });
}
