import { isoCBOR } from '@simplewebauthn/server/helpers';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const userPresent = 0x01;
const hasCredential = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** What a page gives a browser's `navigator.credentials`, as far as it is looked at here. */
export interface CreationOptions {
  challenge: string;
  rp: { id?: string; name: string };
}

export interface RequestOptions {
  challenge: string;
  rpId: string;
  allowCredentials: { id: string }[];
}

/** A security key in software, with the browser around it: one ES256 credential, and a counter that grows. */
export interface TestPasskey {
  id: string;
  /** Another passkey's makes this one claim to be it. */
  credential: { id: string; rawId: string; type: string };
  /** The page’s: a browser writes it into what is signed. */
  origin: string;
  /** Grows with each use; set it back to play a copy of the key. */
  counter: number;
  create(options: CreationOptions): object;
  get(options: RequestOptions): object;
}

export function createPasskey(origin: string): TestPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };

  return {
    id: credential.id,
    credential,
    origin,
    counter: 0,
    create({ challenge, rp }) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]);
      const authData = Buffer.concat([
        authenticatorData(rp.id ?? new URL(this.origin).hostname, userPresent | hasCredential, this.counter),
        attested,
      ]);
      const attestation = new Map<string, string | Map<string, never> | Uint8Array>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, never>()],
        ['authData', new Uint8Array(authData)],
      ]);
      return {
        ...this.credential,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, this.origin).toString('base64url'),
          attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
          transports: ['usb'],
        },
        clientExtensionResults: {},
      };
    },
    get({ challenge, rpId }) {
      this.counter += 1;
      const data = clientData('webauthn.get', challenge, this.origin);
      const authData = authenticatorData(rpId, userPresent, this.counter);
      return {
        ...this.credential,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey).toString(
            'base64url',
          ),
        },
        clientExtensionResults: {},
      };
    },
  };
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const tail = Buffer.alloc(5);
  tail.writeUInt8(flags, 0);
  tail.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), tail]);
}

/** A P-256 key in COSE (RFC 9053): kty EC2, alg ES256, crv P-256, x, y. */
function coseKey(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
}
