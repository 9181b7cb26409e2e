import { signInScopes } from '@tabletop-relay/contract';
import type { InputOf, Scope, oauthEndpoints } from '@tabletop-relay/contract';
import type { Caller } from '../../endpoint-handler.ts';
import { sealAsked, sealedClient } from './asked.ts';
import type { Asked, AskedDeps } from './asked.ts';
import { isDocumentId } from './client-documents.ts';
import type { RegisteredClients } from './clients.ts';
import { isOurResource, issuerAt } from './issuer.ts';
import { isRegistered, leadsToUs, mayLeadTo } from './redirects.ts';

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
  | 'resource';

export interface AuthorizeDeps extends AskedDeps {
  clients: RegisteredClients;
  now(): number;
}

/**
 * Answers the page on which a person decides whether a program is signed in, or the page that says why not. Nothing of the query leads
 * a browser anywhere else, and nothing is kept: what strangers ask for costs them more than the relay.
 */
export function authorize(
  deps: AuthorizeDeps,
  query: Query,
  caller: Pick<Caller, 'publicUrl' | 'sender' | 'cookies'>,
): string {
  const found = check(deps, query, caller.publicUrl);
  if (typeof found === 'string') return `/oauth/refused?why=${found}`;
  const { state = null, scope = '' } = query;
  const { ipAddress: requestedFrom } = caller.sender;
  const asked = { ...found, state, scopes: askedScopes(scope), requestedFrom, atMs: deps.now() };
  return `/oauth/consent?code=${sealAsked(deps, asked, caller.cookies)}`;
}

function check(
  { clients, documents }: AuthorizeDeps,
  query: Query,
  publicUrl: string,
): Pick<Asked, 'client' | 'redirectUri' | 'challenge'> | AuthorizeFault {
  const issuer = issuerAt(publicUrl);
  if (issuer === undefined) return 'not_offered';
  const { client_id: clientId, redirect_uri: redirectUri, code_challenge: challenge = '' } = query;
  if (!clientId) return 'client_missing';
  const isDocument = isDocumentId(clientId);
  if (isDocument && !documents) return 'documents_off';
  const known = isDocument ? undefined : clients.find(clientId);
  if (!isDocument && !known) return 'client_unknown';
  if (!redirectUri) return 'redirect_missing';
  if (!mayLeadTo(redirectUri) || leadsToUs(issuer, redirectUri)) return 'redirect_unknown';
  if (known && !isRegistered(known.redirectUris, redirectUri)) return 'redirect_unknown';
  if (query.response_type !== 'code') return 'response_type';
  // `plain`, which is meant where the method is left out, would show the verifier to whoever sees the address.
  if (query.code_challenge_method !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) return 'challenge';
  if (!isOurResource(issuer, query.resource)) return 'resource';
  const client = known ? sealedClient(clientId, known) : { document: clientId };
  return { client, redirectUri, challenge };
}

/** Those that a sign-in may give; the rest of what is asked for is left out, as RFC 6749 allows. */
function askedScopes(scope: string): Scope[] {
  const asked = new Set(scope.split(' '));
  return signInScopes.filter((one) => asked.has(one));
}
