import type { Scope } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { refusePaused } from '../pauses/pauses.ts';
import { ProblemError } from '../problem.ts';
import { limitHeaders } from '../limits/limit-headers.ts';
import type { UnknownSecretLimit } from '../limits/unknown-secret-limit.ts';
import { createCredentialCache } from '../credentials/changes/credential-cache.ts';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import { familyOf, kindOfSecret } from '../credentials/secret.ts';
import { createSeenSecrets } from '../credentials/seen-secrets.ts';
import { isKnownFamily, readKey, readRecentKeys } from './store/read-key.ts';
import type { Principal } from './store/read-key.ts';

export type { Principal } from './store/read-key.ts';

/**
 * Finds the principal of the key in `value`, which came from `address` on `connection`. Rejects with the problem to answer.
 */
export type Authenticate = (
  value: string | string[] | undefined,
  address: string,
  connection: object,
) => Promise<Principal>;

/** Keys by the hash of their value, for what outlives the request that brought the key. */
export interface KeysByHash {
  /** The hash of the key that a principal was found by. */
  hashOf(principal: Principal): string;
  /**
   * The principal as it is now, read after every change that is known here. Rejects with the problem to answer. A pause is none:
   * what is open stays open.
   */
  find(hash: string): Promise<Principal>;
  /**
   * The principal as it is now, for one whose request was let in a while ago: its body may have taken long. Where it cannot be
   * known whether something has changed it rejects.
   */
  renew(principal: Principal): Promise<Principal>;
}

export interface AuthenticateOptions {
  db: Kysely<Tables>;
  feed: CredentialFeed;
  /** Limits the unknown keys per address. */
  unknownSecrets: UnknownSecretLimit;
  /** Called for each key that was accepted. */
  onUse?: (principal: Principal) => void;
  now?: () => number;
}

/** Of one sign-in, on each instance. */
const endedPerMinute = 60;

const tokenEnded = () =>
  new ProblemError('key_expired', 'The access token has ended. Exchange the refresh token for a new one.');

// oxlint-disable-next-line max-lines-per-function -- One cache of keys, and the ways in which it is asked.
export function createAuthenticate(options: AuthenticateOptions): {
  authenticate: Authenticate;
  /** As `authenticate`, and takes the access tokens of programs that were signed in. */
  authenticateAssistant: Authenticate;
  keys: KeysByHash;
} {
  const { db, feed, unknownSecrets, onUse, now = Date.now } = options;
  const cache = createCredentialCache({ feed, kind: 'key', idOf: ({ keyId }) => keyId, read: readWithHash });
  const hashes = new WeakMap<Principal, string>();
  /** The known key that a connection brought last: callers keep theirs, and a hash takes as long as the rest of the check. */
  const lastKeys = new WeakMap<object, { value: string; keyHash: string }>();
  const endedTokens = new LRUCache<string, true>({ max: 5_000, ttl: 30_000 });
  /** By the family of tokens that were over or made up: how many were looked up within the minute. */
  const endedLookUps = new LRUCache<string, number>({ max: 5_000, ttl: 60_000 });
  const seen = createSeenSecrets({ readRecent: (count) => readRecentKeys(db, count) });

  async function readWithHash(keyHash: string): Promise<Principal | undefined> {
    const principal = await readKey(db, keyHash, now());
    if (principal) hashes.set(principal, keyHash);
    return principal;
  }

  function admit(principal: Principal): Principal {
    if (principal.expiresAtMs !== null && principal.expiresAtMs <= now())
      throw new ProblemError('key_expired', undefined, { caller: callerOf(principal) });
    if (principal.blocked)
      throw new ProblemError(principal.blocked, undefined, { caller: callerOf(principal) });
    onUse?.(principal);
    return principal;
  }

  /** For a request: one with a paused key is refused as such, before it costs anything. */
  function admitRequest(principal: Principal): Principal {
    admit(principal);
    refusePaused(principal, undefined, callerOf(principal));
    return principal;
  }

  async function load(keyHash: string): Promise<Principal | undefined> {
    return await cache.load(keyHash).catch((cause: unknown) => {
      throw new ProblemError('unavailable', 'The key cannot be checked at the moment.', { cause });
    });
  }

  /**
   * Whether it is an old token of a sign-in that goes on: nobody makes up the part that it has in common with the others. Who has an old one
   * can make up the rest, so few of a sign-in are looked up.
   */
  async function hasEnded(keyHash: string, family: string): Promise<boolean> {
    const isKnown = await isKnownFamily(db, family);
    if (!isKnown) return false;
    endedTokens.set(keyHash, true);
    endedLookUps.set(family, (endedLookUps.get(family) ?? 0) + 1, { noUpdateTTL: true });
    return true;
  }

  function checkEnded(keyHash: string, family: string): void {
    if (endedTokens.has(keyHash)) throw tokenEnded();
    if ((endedLookUps.get(family) ?? 0) < endedPerMinute) return;
    throw new ProblemError('rate_limited', 'Too many tokens of this sign-in that have ended.', {
      retryAfterS: Math.ceil(endedLookUps.getRemainingTTL(family) / 1_000),
    });
  }

  /** `family`: the hash of that of an access token. */
  async function lookUp(hash: string, address: string, family?: string): Promise<Principal> {
    const waitS = unknownSecrets.waitS(address);
    // Somebody else at this address may send unknown keys. A key that was valid lately is accepted all the same.
    if (waitS > 0 && !(await seen.has(family ?? hash))) {
      throw new ProblemError('rate_limited', 'Too many unknown keys from this address.', {
        retryAfterS: waitS,
        headers: limitHeaders(unknownSecrets.max, waitS),
      });
    }
    if (family !== undefined) checkEnded(hash, family);
    const principal = await load(hash);
    if (principal && !isValueOver(principal, now())) {
      seen.add(family ?? hash);
      return admitRequest(principal);
    }
    if (family !== undefined && (await hasEnded(hash, family))) throw tokenEnded();
    seen.remove(family ?? hash);
    await unknownSecrets.count(address);
    throw new ProblemError('key_invalid', 'No such key: it was revoked or rolled, or never existed.');
  }

  async function authenticateAny(
    takesTokens: boolean,
    ...[value, address, connection]: Parameters<Authenticate>
  ): Promise<Principal> {
    if (value === undefined || value === '') throw new ProblemError('key_missing');
    if (typeof value !== 'string') throw new ProblemError('key_invalid', refusal(undefined));
    const last = lastKeys.get(connection);
    const keyHash = last?.value === value ? last.keyHash : hash('sha256', value, 'base64url');
    const cached = cache.get(keyHash);
    // An old value that has ended is looked up as what nobody ever had, and refused in no other way.
    if (cached && !isValueOver(cached, now()) && (takesTokens || cached.signedIn === null)) {
      if (last?.keyHash !== keyHash) lastKeys.set(connection, { value, keyHash });
      return admitRequest(cached);
    }
    // A cached key needs no check of its form. The check only saves the look-up of texts that cannot be keys.
    const kind = kindOfSecret(value);
    if (takesTokens && kind === 'accessToken')
      return await lookUp(keyHash, address, hash('sha256', familyOf(value), 'base64url'));
    if (kind !== 'scopedKey' && kind !== 'masterKey') throw new ProblemError('key_invalid', refusal(kind));
    return await lookUp(keyHash, address);
  }

  const keys: KeysByHash = {
    hashOf: (principal) => hashes.get(principal) ?? '',
    async find(keyHash) {
      const principal = await load(keyHash);
      if (!principal || isValueOver(principal, now()))
        throw new ProblemError('key_invalid', 'The key was revoked.');
      return admit(principal);
    },
    async renew(principal) {
      const keyHash = keys.hashOf(principal);
      return cache.get(keyHash) === principal ? principal : await keys.find(keyHash);
    },
  };
  return {
    authenticate: (...given) => authenticateAny(false, ...given),
    authenticateAssistant: (...given) => authenticateAny(true, ...given),
    keys,
  };
}

/** The principal of a key, or a connection token with its remote scopes. Both have scopes. */
export interface ScopeHolder {
  readonly scopes: ReadonlySet<Scope>;
}

/** Checks a scope, for HTTP, sockets and remote requests. Throws `scope_missing` with the scope's name. */
export function authorize(holder: ScopeHolder, scope: Scope): void {
  if (holder.scopes.has(scope)) return;
  throw new ProblemError('scope_missing', `This needs the scope ${scope}.`, {
    scope,
    error: `API key lacks required scope: ${scope}`,
  });
}

const isValueOver = ({ oldValueEndsAtMs, signedIn }: Principal, now: number): boolean =>
  (oldValueEndsAtMs !== null && oldValueEndsAtMs <= now) || (signedIn !== null && signedIn.endsAtMs <= now);

/** Whether the key has expired, or the old value or token that it was found by has ended. */
export const isOver = (principal: Principal, now: number): boolean =>
  (principal.expiresAtMs !== null && principal.expiresAtMs <= now) || isValueOver(principal, now);

const callerOf = ({ keyId, keyName, accountId, oldValueEndsAtMs }: Principal) => ({
  keyId,
  keyName,
  accountId,
  isOldValue: oldValueEndsAtMs !== null,
});

function refusal(kind: ReturnType<typeof kindOfSecret>): string {
  if (kind === 'connectionToken') return 'This is a connection token; it opens the WebSocket only.';
  if (kind === 'accessToken') return 'This is the access token of a sign-in; it is good at /mcp only.';
  if (kind) return 'This is not an API key.';
  return 'This is not a key of this service, or it was not copied whole.';
}
