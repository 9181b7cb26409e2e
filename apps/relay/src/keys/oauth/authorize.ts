import { signInScopes } from '@tabletop-relay/contract';
import type { InputOf, Scope, oauthEndpoints } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import { hash } from 'node:crypto';
import type { Insertable } from 'kysely';
import { hashLongCode, newLongCode } from '../../credentials/codes.ts';
import type { Caller, Cookies } from '../../endpoint-handler.ts';
import { ProblemError } from '../../problem.ts';
import type { ClientDocuments, DocumentFault } from './client-documents.ts';
import { isDocumentId } from './client-documents.ts';
import type { OAuthClient, RegisteredClients } from './clients.ts';
import { isOurResource, issuerAt } from './issuer.ts';
import { isRegistered } from './redirects.ts';

type Query = InputOf<(typeof oauthEndpoints)['oauthAuthorize']>['query'];

/** Why nobody can be asked. Each has its words on the page of refusals. */
export type AuthorizeFault =
  | 'not_offered'
  | 'client_missing'
  | 'client_unknown'
  | 'documents_off'
  | 'redirect_missing'
  | 'redirect_unknown'
  | 'response_type'
  | 'challenge'
  | 'resource'
  | 'too_many'
  | DocumentFault;

export interface AuthorizeDeps {
  clients: RegisteredClients;
  /** Undefined where the relay reads none: CLIENT_DOCUMENTS=off. */
  documents: ClientDocuments | undefined;
  keep(row: Insertable<Tables['oauthRequests']>): Promise<void>;
  now(): number;
}

/** As long as a request for a key. */
const signInRequestLifetimeMs = 600_000;

/** The browser that opened a request decides it: the cookie has the secret that is kept as a hash. */
const browserCookie = 'trq';

/**
 * Keeps a request to be signed in, and answers the page on which a person decides it; or the page that says why not. Nothing of
 * the query leads a browser anywhere else.
 */
export async function authorize(
  deps: AuthorizeDeps,
  query: Query,
  caller: Pick<Caller, 'publicUrl' | 'sender' | 'cookies'>,
): Promise<string> {
  const found = await check(deps, query, caller.publicUrl);
  if (typeof found === 'string') return `/oauth/refused?why=${found}`;
  const code = newLongCode();
  const now = deps.now();
  const browser = openBrowser(caller.cookies);
  const { client, clientId, redirectUri, challenge } = found;
  const { state = null, scope = '' } = query;
  await deps.keep({
    id: newId(now),
    codeHash: hashLongCode(code),
    browserHash: hashLongCode(browser),
    clientIdHash: hash('sha256', clientId, 'buffer'),
    clientName: client.name,
    clientSecretHash: client.secretHash,
    clientAuth: client.auth,
    redirectUri,
    state,
    challenge,
    scopes: askedScopes(scope),
    requestedFrom: caller.sender.ipAddress,
    expiresAt: new Date(now + signInRequestLifetimeMs),
  });
  return `/oauth/consent/${code}`;
}

interface Checked {
  clientId: string;
  client: OAuthClient;
  redirectUri: string;
  challenge: string;
}

async function check(
  deps: AuthorizeDeps,
  query: Query,
  publicUrl: string,
): Promise<Checked | AuthorizeFault> {
  const issuer = issuerAt(publicUrl);
  if (issuer === undefined) return 'not_offered';
  const { client_id: clientId, redirect_uri: redirectUri, code_challenge: challenge = '' } = query;
  if (!clientId) return 'client_missing';
  const client = await findClient(deps, clientId);
  if (typeof client === 'string') return client;
  if (!redirectUri) return 'redirect_missing';
  if (!isRegistered(client.redirectUris, redirectUri)) return 'redirect_unknown';
  if (query.response_type !== 'code') return 'response_type';
  // `plain`, which is meant where the method is left out, would show the verifier to whoever sees the address.
  if (query.code_challenge_method !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) return 'challenge';
  if (!isOurResource(issuer, query.resource)) return 'resource';
  return { clientId, client, redirectUri, challenge };
}

async function findClient(
  { clients, documents }: AuthorizeDeps,
  clientId: string,
): Promise<OAuthClient | AuthorizeFault> {
  if (!isDocumentId(clientId)) return clients.find(clientId) ?? 'client_unknown';
  return documents ? await documents.read(clientId) : 'documents_off';
}

/** Those that a sign-in may give; the rest of what is asked for is left out, as RFC 6749 allows. */
function askedScopes(scope: string): Scope[] {
  const asked = new Set(scope.split(' '));
  return signInScopes.filter((one) => asked.has(one));
}

/** One secret for all requests of a browser, which may have several open. */
function openBrowser(cookies: Cookies): string {
  const before = cookies.read(browserCookie);
  const secret = /^[0-9A-Z]{26}$/.test(before) ? before : newLongCode();
  // Lax: the next program leads here from its own site, and must not end what is open.
  cookies.write({
    name: browserCookie,
    value: secret,
    maxAgeS: signInRequestLifetimeMs / 1_000,
    sameSite: 'Lax',
  });
  return secret;
}

/** Throws `forbidden` where another browser opened the request: its link was forwarded, or it is somebody else's. */
export function checkBrowser(cookies: Cookies, { browserHash }: { browserHash: Buffer }): void {
  const secret = cookies.read(browserCookie);
  if (secret !== '' && browserHash.equals(hashLongCode(secret))) return;
  throw new ProblemError(
    'forbidden',
    'This request was opened in another browser, and is decided there alone. To sign a program in from this one, start there again.',
  );
}
