import { isLoopbackHost } from '@tabletop-relay/process';
import { oauthProblem } from './oauth-problem.ts';

/**
 * The address that signs people in: the relay's own. Undefined over plain http, but on the machine itself: codes and tokens would be
 * read on the way.
 */
export function issuerAt(publicUrl: string): string | undefined {
  const url = URL.parse(publicUrl);
  return url && (url.protocol === 'https:' || isLoopbackHost(url.hostname)) ? publicUrl : undefined;
}

/** As `issuerAt`; throws `not_offered`. */
export function readIssuer(publicUrl: string): string {
  const issuer = issuerAt(publicUrl);
  if (issuer === undefined) throw oauthProblem('not_offered');
  return issuer;
}

/** What access tokens are good for. */
export const resourceOf = (issuer: string): string => `${issuer}/mcp`;

/** Where the first request of a program is told to look. */
export const resourceDocumentOf = (issuer: string): string =>
  `${issuer}/.well-known/oauth-protected-resource/mcp`;

/** Whether a request names our resource, with or without what narrows it; one that names none means it. */
export function isOurResource(issuer: string, resource: string | undefined): boolean {
  if (resource === undefined) return true;
  const url = URL.parse(resource);
  if (!url || url.hash || url.username || url.password) return false;
  const ours = new URL(resourceOf(issuer));
  return url.origin === ours.origin && (url.pathname === ours.pathname || url.pathname.startsWith('/mcp/'));
}
