import type { Scope } from '@tabletop-relay/contract';
import { isScope } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import { parseIpAllowlist } from '@tabletop-relay/kit';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { hash } from 'node:crypto';
import type { UnknownSecretLimit } from '../limits/unknown-secret-limit.ts';
import { blockedBy } from '../accounts/block.ts';
import type { Blocked } from '../accounts/block.ts';
import { reachedBy, scopesInForce, usersByWorld } from './acting-users.ts';
import type { ActingHolder } from './acting-users.ts';
import { pausesOf, selectPauses } from '../pauses/pauses.ts';
import type { PauseHolder } from '../pauses/pauses.ts';
import { readTogether } from '../read-together.ts';
import { createCredentialCache } from '../credentials/changes/credential-cache.ts';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import { kindOfSecret } from '../credentials/secret.ts';
import { createSeenSecrets } from '../credentials/seen-secrets.ts';

/** Identity of a connection token: one browser of one client. `scopes` are its remote scopes. */
export interface TokenPrincipal extends PauseHolder, ActingHolder {
  tokenId: string;
  accountId: string;
  clientId: string;
  name: string;
  allowedTargetClients: ReadonlySet<string>;
  scopes: ReadonlySet<Scope>;
  /** Description that the browser gave when it was paired. */
  fingerprint: { worldId: string; systemId: string; origin: string };
  ipAllowlist: string;
  blocked: Blocked | null;
  /** SHA-256 of the token, base64url: what `recheck` looks it up by. */
  hash: string;
}

/**
 * `invalid` is certain: the module forgets its token for it (4002). `temporary` says nothing of the token
 * (4000): database away, account blocked, too many unknown tokens from there.
 */
export type TokenVerdict =
  | { ok: TokenPrincipal }
  | {
      refused: 'invalid' | 'address_not_allowed' | 'temporary';
      /** Owner of the token, for the records. It grants nothing. */
      principal?: TokenPrincipal;
      blocked?: Blocked;
      cause?: unknown;
    };

export interface ConnectionTokens {
  verify(token: string, clientId: string, address: string): Promise<TokenVerdict>;
  /**
   * For a live socket, after a credential event of its account. The answer is younger than the event for all who
   * subscribed to the feed after these tokens were made: what is cached, or being read, is forgotten before they hear.
   */
  recheck(principal: TokenPrincipal, address: string): Promise<TokenVerdict>;
}

export function createConnectionTokens(deps: {
  db: Kysely<Tables>;
  feed: CredentialFeed;
  unknownSecrets: UnknownSecretLimit;
}): ConnectionTokens {
  const { db, feed, unknownSecrets } = deps;
  const read = readTogether((hashes) => readTokens(db, hashes));
  const cache = createCredentialCache({ feed, kind: 'token', idOf: ({ tokenId }) => tokenId, read });
  const seen = createSeenSecrets({ readRecent: (count) => readRecentTokens(db, count) });

  async function find(tokenHash: string, clientId: string, address: string): Promise<TokenVerdict> {
    let found = cache.get(tokenHash);
    try {
      found ??= await cache.load(tokenHash);
    } catch (cause) {
      return { refused: 'temporary', cause };
    }
    if (!found) {
      seen.remove(tokenHash);
      return { refused: 'invalid' };
    }
    seen.add(tokenHash);
    const principal = found;
    if (principal.clientId !== clientId) return { refused: 'invalid', principal };
    if (principal.blocked) return { refused: 'temporary', principal, blocked: principal.blocked };
    const allowlist = parseIpAllowlist(principal.ipAllowlist);
    const isAllowed = !('badEntry' in allowlist) && allowlist.allows(address);
    return isAllowed ? { ok: principal } : { refused: 'address_not_allowed', principal };
  }

  return {
    async verify(token, clientId, address) {
      if (kindOfSecret(token) !== 'connectionToken') return { refused: 'invalid' };
      const tokenHash = hash('sha256', token, 'base64url');
      // Others behind this address may send nonsense; a token that was valid lately goes on all the same.
      if (!cache.get(tokenHash) && unknownSecrets.waitS(address) > 0 && !(await seen.has(tokenHash)))
        return { refused: 'temporary' };
      const verdict = await find(tokenHash, clientId, address);
      if ('refused' in verdict && verdict.refused === 'invalid') await unknownSecrets.count(address);
      return verdict;
    },
    recheck: (principal, address) => find(principal.hash, principal.clientId, address),
  };
}

/** Hashes of the tokens that were used last. */
async function readRecentTokens(db: Kysely<Tables>, count: number): Promise<string[]> {
  const rows = await db
    .selectFrom('connectionTokens')
    .select('hash')
    .where('lastUsedAt', 'is not', null)
    .orderBy('lastUsedAt', 'desc')
    .limit(count)
    .execute();
  return rows.map((row) => row.hash.toString('base64url'));
}

async function readTokens(
  db: Kysely<Tables>,
  hashes: readonly string[],
): Promise<Map<string, TokenPrincipal>> {
  const rows = await db
    .selectFrom('connectionTokens')
    .select(['id as tokenId', 'accountId', 'clientId', 'name', 'ipAllowlist', 'hash'])
    .select(['actingUserIds', 'remoteScopes', 'worldId', 'systemId', 'origin'])
    .select(reachedBy<string[]>('allowed_target_clients').as('allowedTargetClients'))
    .select(selectPauses('connectionTokens.accountId').as('pauses'))
    .select(blockedBy('connectionTokens.accountId').as('blocked'))
    .where('hash', '=', sql<Buffer>`any(${hashes.map((text) => Buffer.from(text, 'base64url'))}::bytea[])`)
    .execute();
  return new Map(
    rows.map((row) => {
      const { allowedTargetClients, remoteScopes, worldId, systemId, origin, ...token } = row;
      const tokenHash = row.hash.toString('base64url');
      const principal = {
        ...token,
        allowedTargetClients: new Set(allowedTargetClients),
        scopes: new Set(scopesInForce(row.actingUserIds, remoteScopes.filter(isScope))),
        actingUserIds: usersByWorld(row.actingUserIds),
        fingerprint: { worldId, systemId, origin },
        hash: tokenHash,
        pauses: pausesOf(row.pauses),
      };
      return [tokenHash, principal];
    }),
  );
}
