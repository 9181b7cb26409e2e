import type { RelaySecrets } from '@tabletop-relay/database';
import { toPlainText } from '@tabletop-relay/kit';
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { hmacCode } from '../../credentials/codes.ts';
import { oauthProblem } from './oauth-problem.ts';
import { hostOf, mayLeadTo } from './redirects.ts';

const authMethods = ['none', 'client_secret_post', 'client_secret_basic'] as const;
export type ClientAuth = (typeof authMethods)[number];

/** A program that may ask people to sign it in. Nothing that it says of itself is proved but where its codes go. */
export interface OAuthClient {
  name: string;
  redirectUris: readonly string[];
  auth: ClientAuth;
  /** Null where it shows none. */
  secretHash: Buffer | null;
}

export interface Registration {
  redirect_uris: readonly string[];
  client_name?: string | undefined;
  token_endpoint_auth_method?: string | undefined;
}

export interface Registered {
  clientId: string;
  secret: string | undefined;
  client: OAuthClient;
}

/** Clients whose id is their registration, signed under RELAY_SECRET: nothing is kept of them. */
export interface RegisteredClients {
  /** Throws `invalid_redirect_uri` and `invalid_client_metadata`. */
  register(registration: Registration): Registered;
  /** Undefined for an id that no secret of the relay has signed. */
  find(clientId: string): OAuthClient | undefined;
}

const maxRedirects = 6;
const maxIdLength = 2_048;
const maxName = 80;
const signatureBytes = 32;

/** What stands in an id, short: it goes with every request. The nonce keeps equal registrations apart, and so their secrets. */
interface Written {
  r: string[];
  n: string;
  a: number;
  x: string;
}

export function createRegisteredClients(secrets: RelaySecrets): RegisteredClients {
  const sign = (secret: string, text: string) => hmacCode(secret, 'oauth-client', text);

  const secretOf = (relaySecret: string, clientId: string) =>
    hmacCode(relaySecret, 'oauth-client-secret', clientId).toString('base64url');

  return {
    register(registration) {
      const auth = readAuth(registration.token_endpoint_auth_method);
      const uris = [...new Set(registration.redirect_uris.filter(mayLeadTo))];
      if (uris.length === 0) throw oauthProblem('invalid_redirect_uri');
      if (uris.length > maxRedirects)
        throw oauthProblem('invalid_client_metadata', `Register ${maxRedirects} redirect URIs at most.`);
      const name = nameOf(registration.client_name, uris[0] as string);
      const written: Written = {
        r: uris,
        n: name,
        a: authMethods.indexOf(auth),
        x: randomBytes(9).toString('base64url'),
      };
      const text = Buffer.from(JSON.stringify(written)).toString('base64url');
      const [newest] = secrets;
      const clientId = `${text}.${sign(newest, text).toString('base64url')}`;
      if (clientId.length > maxIdLength)
        throw oauthProblem(
          'invalid_client_metadata',
          `Redirect URIs and name are too long together: the id would have more than ${maxIdLength} characters.`,
        );
      const secret = auth === 'none' ? undefined : secretOf(newest, clientId);
      return { clientId, secret, client: clientOf(written, secret) };
    },

    find(clientId) {
      if (clientId.length > maxIdLength) return undefined;
      const [text = '', signature = '', ...more] = clientId.split('.');
      const given = Buffer.from(signature, 'base64url');
      // One spelling is taken, because a client is known by its id.
      if (more.length > 0 || given.length !== signatureBytes || given.toString('base64url') !== signature)
        return undefined;
      const signer = secrets.find((secret) => timingSafeEqual(sign(secret, text), given));
      if (signer === undefined) return undefined;
      const written = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Written;
      return clientOf(written, written.a === 0 ? undefined : secretOf(signer, clientId));
    },
  };
}

const clientOf = ({ r, n, a }: Written, secret: string | undefined): OAuthClient => ({
  name: n,
  redirectUris: r,
  auth: authMethods[a] ?? 'none',
  secretHash: secret === undefined ? null : hash('sha256', secret, 'buffer'),
});

function readAuth(method: string = 'client_secret_basic'): ClientAuth {
  const known = authMethods.find((one) => one === method);
  if (known) return known;
  throw oauthProblem(
    'invalid_client_metadata',
    `token_endpoint_auth_method must be one of ${authMethods.join(', ')}.`,
  );
}

/** What a client calls itself, as people may read it: cut, and without what nobody sees. */
export const nameOf = (given: string | undefined, redirectUri: string): string =>
  toPlainText((given ?? '').slice(0, maxName)) || (hostOf(redirectUri) ?? 'A program');
