import type { Scope } from '@tabletop-relay/contract';
import type { Sealer } from '@tabletop-relay/database';
import { hash } from 'node:crypto';
import { hashLongCode, newLongCode } from '../../credentials/codes.ts';
import type { Cookies } from '../../endpoint-handler.ts';
import { ProblemError } from '../../problem.ts';
import type { ClientDocuments, DocumentFault } from './client-documents.ts';
import type { ClientAuth, OAuthClient } from './clients.ts';
import { isRegistered } from './redirects.ts';

/**
 * What a program asks for, until a person decides it. The code of its page carries it, sealed: strangers ask as often as they like,
 * and the relay keeps nothing of it and fetches nothing for it.
 */
export interface Asked {
  /** A registered client as it was signed, or the address of its document, which is read for who is signed in. */
  client: SealedClient | { document: string };
  redirectUri: string;
  state: string | null;
  challenge: string;
  scopes: Scope[];
  requestedFrom: string;
  atMs: number;
  /** Of the browser that opened it; the SHA-256 of its cookie. */
  browser: string;
}

/** Bytes in base64url. */
interface SealedClient {
  idHash: string;
  name: string;
  auth: ClientAuth;
  secretHash: string | null;
}

/** Why nobody can be asked, which shows once the document of a client was read. */
export type ClientFault = DocumentFault | 'documents_off' | 'redirect_unknown';

export interface AskedDeps {
  sealer: Sealer;
  /** Undefined where the relay reads none: CLIENT_DOCUMENTS=off. */
  documents: ClientDocuments | undefined;
}

/** As long as a request for a key. */
export const askedLifetimeMs = 600_000;

const context = 'request to sign in';

/** The browser that opened a request decides it: the cookie has the secret of which the request has the hash. */
const browserCookie = 'trq';

/** The code of the page on which a request is decided, in the browser whose cookies these are. */
export function sealAsked(
  { sealer }: Pick<AskedDeps, 'sealer'>,
  asked: Omit<Asked, 'browser'>,
  cookies: Cookies,
): string {
  const browser = hashLongCode(openBrowser(cookies)).toString('base64url');
  return sealer.seal(JSON.stringify({ ...asked, browser } satisfies Asked), context);
}

/**
 * The request of a code. Throws `not_found` for a code that the relay has not made, and `forbidden` where another browser opened the
 * request: its link was forwarded, or it is somebody else's.
 */
export function readAsked({ sealer }: Pick<AskedDeps, 'sealer'>, code: string, cookies: Cookies): Asked {
  const text = sealer.open(code, context);
  if (text === undefined) throw noSuchRequest();
  const asked = JSON.parse(text) as Asked;
  const secret = cookies.read(browserCookie);
  if (secret !== '' && Buffer.from(asked.browser, 'base64url').equals(hashLongCode(secret))) return asked;
  throw new ProblemError(
    'forbidden',
    'This request was opened in another browser, and is decided there alone. To sign a program in from this one, start there again.',
  );
}

export const noSuchRequest = () => new ProblemError('not_found', 'No such request.');

/** One secret for all requests of a browser, which may have several open. */
function openBrowser(cookies: Cookies): string {
  const before = cookies.read(browserCookie);
  const secret = /^[0-9A-Z]{26}$/.test(before) ? before : newLongCode();
  // Lax: the next program leads here from its own site, and must not end what is open.
  cookies.write({
    name: browserCookie,
    value: secret,
    maxAgeS: askedLifetimeMs / 1_000,
    sameSite: 'Lax',
  });
  return secret;
}

/** What a row keeps of the client. */
export interface AskingClient {
  clientIdHash: Buffer;
  clientName: string;
  clientSecretHash: Buffer | null;
  clientAuth: ClientAuth;
}

export const sealedClient = (clientId: string, { name, auth, secretHash }: OAuthClient): SealedClient => ({
  idHash: hash('sha256', clientId, 'base64url'),
  name,
  auth,
  secretHash: secretHash && secretHash.toString('base64url'),
});

/** Who asks. For a client with a document that is read now, in the name of the account that decides. */
export async function askingClient(
  { documents }: Pick<AskedDeps, 'documents'>,
  { client, redirectUri }: Asked,
  accountId: string,
): Promise<AskingClient | ClientFault> {
  if (!('document' in client)) return clientOf(client);
  if (!documents) return 'documents_off';
  const found = await documents.read(client.document, accountId);
  if (typeof found === 'string') return found;
  if (!isRegistered(found.redirectUris, redirectUri)) return 'redirect_unknown';
  return clientOf(sealedClient(client.document, found));
}

const clientOf = ({ idHash, name, auth, secretHash }: SealedClient): AskingClient => ({
  clientIdHash: Buffer.from(idHash, 'base64url'),
  clientName: name,
  clientAuth: auth,
  clientSecretHash: secretHash === null ? null : Buffer.from(secretHash, 'base64url'),
});
